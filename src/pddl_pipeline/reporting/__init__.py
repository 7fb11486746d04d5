"""Reports on run stores: tables, scores, plots, and files for other tools."""
