"""Where new instances come from, one file a family."""
