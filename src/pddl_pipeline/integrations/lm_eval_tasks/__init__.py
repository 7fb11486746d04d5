"""The tasks of lm-evaluation-harness: one YAML file per task, and the functions that they name."""
