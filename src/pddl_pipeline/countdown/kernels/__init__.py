"""Functions compiled by numba, imported only when used: numba is an extra and slow to load."""
