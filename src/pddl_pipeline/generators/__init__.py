"""Generators of instances, one file per family."""
