"""The kinds of questions: how each is made, and how answers to it are marked."""
