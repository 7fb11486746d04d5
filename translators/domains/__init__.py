"""Translators of the domains that come with this project, one file per domain."""
