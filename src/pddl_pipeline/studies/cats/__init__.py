"""Studies of CATS (Zhang and Liu), and what they share."""
