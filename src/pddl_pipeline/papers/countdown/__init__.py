"""Studies of the Countdown paper (Katz, Kokel, Sreedharan) and their helpers."""
