"""Studies of the Countdown paper (Katz, Kokel, Sreedharan), and what they share."""
