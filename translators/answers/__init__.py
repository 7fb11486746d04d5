"""What the readers of answers share: lines, steps in parentheses, sentences."""
