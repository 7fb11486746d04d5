"""Converts PDDL tasks to black boxes, and paths of black boxes to plans."""
