"""Experiments: solving, running many instances, storing the results, scoring and reporting."""
