"""Studies of AutoToS (Cao et al. 2024)."""
