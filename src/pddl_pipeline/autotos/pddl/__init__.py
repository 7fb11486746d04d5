"""Between PDDL tasks and black boxes: the start and the goal one way, the plan the other."""
