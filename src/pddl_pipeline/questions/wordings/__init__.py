"""SimPlan's words for the states of its domains, one file per domain."""
