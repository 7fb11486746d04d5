"""Tables and the style of plots, shared by every command that prints or draws."""
