"""Statistical tests, computed by SciPy, which the extra ``reproduce`` installs."""
