"""What the studies of CATS share: the paper's numbers, the tasks, and how both are compared."""
