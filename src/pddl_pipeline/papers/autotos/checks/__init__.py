"""AutoToS's checks of external functions `succ` and `isgoal`, and its feedback on failures."""
