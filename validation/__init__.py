"""From PDDL and plan text to a verdict. Knows no domain and no planner."""
