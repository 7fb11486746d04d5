"""Formats of public datasets, one file per format."""
