"""Countdown: combine two numbers, the exact solver, counts, random walks and compiled kernels."""
