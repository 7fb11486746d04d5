"""Planners, one file an engine, and the child process that runs them inside limits."""
