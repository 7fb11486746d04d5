"""What the study of the tutorial consists of."""
