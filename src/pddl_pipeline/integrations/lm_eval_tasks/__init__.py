"""The tasks of lm-evaluation-harness: a YAML file each, and the functions that they name."""
