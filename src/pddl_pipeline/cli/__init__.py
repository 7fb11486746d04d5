"""The command line: one file a command, found by its name. Only this package prints and exits."""
