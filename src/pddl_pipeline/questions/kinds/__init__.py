"""The kinds of questions, each with the code that makes questions and marks answers."""
