"""The forms in which answers of models are kept, one file a form."""
