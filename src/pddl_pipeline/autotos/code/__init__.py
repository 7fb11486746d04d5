"""Functions that somebody else wrote, a model for example: never run in a process of ours."""
