"""Reads answers to countdown tasks: steps, expressions, lists of states, traces of a search."""
