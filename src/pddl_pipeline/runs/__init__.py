"""Run planners on many instances: jobs, pools, the run store, and solving one instance."""
