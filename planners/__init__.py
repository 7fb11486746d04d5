"""Planners, one file per engine, and the child processes that run them within limits."""
