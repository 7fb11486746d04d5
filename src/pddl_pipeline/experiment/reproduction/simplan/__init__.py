"""What the studies of SimPlan share."""
