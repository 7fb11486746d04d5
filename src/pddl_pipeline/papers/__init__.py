"""Reproductions of the papers' figures and tables, compared with the published numbers."""
