"""The commands: the file NAME.py defines the function `command`."""
