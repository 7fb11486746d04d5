"""AutoToS's checks of somebody's `succ` and `isgoal`, and what it tells a model of a failure."""
