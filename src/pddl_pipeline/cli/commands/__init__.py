"""The commands: the file NAME.py has the function `command`."""
