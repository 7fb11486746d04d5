"""A plug-in for pddl-pipeline: the domain lights, a planner, a format and a generator."""
