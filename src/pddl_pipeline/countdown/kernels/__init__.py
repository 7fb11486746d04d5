"""What numba compiles. Imported only where it runs: numba is an extra, and slow to load."""
