"""External functions, from a model for example. They run only in a separate process."""
