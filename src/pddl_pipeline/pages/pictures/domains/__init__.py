"""The pictures of domains, found by the constant PICTURES of each file."""
