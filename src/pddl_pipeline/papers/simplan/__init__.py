"""Studies of SimPlan (Hirsch, Uziel, Anaby-Tavor) and their helpers."""
