"""Rewards, the confidence in actions that guides searches: one file each, with REWARDS."""
