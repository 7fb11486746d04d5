"""Reads answers of language models: lines, steps in parentheses, sentences."""
