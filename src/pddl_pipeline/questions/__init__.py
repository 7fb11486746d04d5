"""Questions about the world of a task, with exact answers: what models know of states and actions.

The kinds are those of SimPlan (section 3, appendices B and C) and of ACPBench's generative items.
"""
