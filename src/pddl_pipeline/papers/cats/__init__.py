"""Studies of CATS (Zhang and Liu) and their helpers."""
