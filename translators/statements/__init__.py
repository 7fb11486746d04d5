"""How tasks are put to a language model: the statements of the papers, and one in PDDL."""
