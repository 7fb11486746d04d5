"""Outside answers: verdicts on what somebody else's planner or language model said."""
