"""The study of the tutorial "Planning in the Era of Language Models"."""
