"""Calls to language models."""
