"""Judge plans: from PDDL and plan text to a verdict. Depends on no domain and no planner."""
