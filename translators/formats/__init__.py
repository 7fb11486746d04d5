"""Formats of public datasets, one file a format."""
