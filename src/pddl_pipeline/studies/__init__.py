"""The papers' figures and tables, made again and set beside the papers' own numbers."""
