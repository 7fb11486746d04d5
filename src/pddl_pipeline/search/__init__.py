"""State spaces: worlds with fast successors, STRIPS, reachability, best-first search."""
