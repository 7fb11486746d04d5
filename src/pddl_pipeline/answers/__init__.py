"""Reads the plan in a model's answer: every clause of it is read, or the answer is unreadable."""
