"""Descriptions of tasks for language models: the papers' statements, and one in PDDL."""
