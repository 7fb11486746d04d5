"""What needs a state space: exhaustive sweeps, and the exact solver and counter of countdown."""
