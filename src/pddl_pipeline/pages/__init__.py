"""Pages that show a plan step by step, each a self-contained HTML file."""
