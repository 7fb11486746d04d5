"""The formats of answer files, one file per format."""
