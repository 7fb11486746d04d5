"""Run planners on one or many instances: jobs, pools and the run store."""
