"""Read and write files: atomic output, text and CSV lines with their positions."""
