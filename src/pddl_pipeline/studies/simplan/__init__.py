"""Studies of SimPlan (Hirsch, Uziel, Anaby-Tavor), and what they share."""
