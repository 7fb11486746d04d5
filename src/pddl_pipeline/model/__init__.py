"""The types that all parts of the pipeline share. Imports no other package of the project."""
