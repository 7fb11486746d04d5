"""Processes between the runner and a planner: they enforce its limits and clean up after it."""
