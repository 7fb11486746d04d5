"""The studies: one file each, with a constant STUDIES."""
