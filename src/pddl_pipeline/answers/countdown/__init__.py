"""Reads countdown answers: an expression, steps, states, or a trace of a search."""
