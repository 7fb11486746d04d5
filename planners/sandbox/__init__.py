"""Processes between the runner and a planner: they keep its limits, and leave nothing behind."""
