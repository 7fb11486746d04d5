"""Confidence in actions, to guide searches: one file each, with a constant REWARDS."""
