"""The types that flow through the pipeline. This package imports nothing else of the project."""
