"""The sandbox of code that a language model wrote: what the kernel refuses, and what it limits."""
