"""Questions about the states and actions of a task, with exact answers.

The kinds are those of SimPlan (section 3, appendices B and C) and of ACPBench's generative items.
"""
