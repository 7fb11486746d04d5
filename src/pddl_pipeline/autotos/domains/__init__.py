"""The domains that are known as functions on plain data, each in its own file."""
