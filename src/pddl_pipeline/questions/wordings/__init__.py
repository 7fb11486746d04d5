"""How SimPlan puts the states of its domains into words, one file a domain."""
