"""Arithmetic of countdown's operations, for readers, writers and generators of plans.

The validator, countdown's referee and the exact solver judge independently and do not import it.
"""
