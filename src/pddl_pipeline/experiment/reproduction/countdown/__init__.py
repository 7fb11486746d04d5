"""What the studies of the Countdown paper share."""
