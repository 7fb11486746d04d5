"""AutoToS (Cao et al. 2024): a model writes `succ` and `isgoal`, checks give feedback."""
