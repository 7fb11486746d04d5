"""Countdown: arithmetic, the exact solver, solution counts, random walks and compiled kernels."""
