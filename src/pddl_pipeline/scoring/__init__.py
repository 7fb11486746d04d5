"""Scores external answers: verdicts on plans from language models and from other planners."""
