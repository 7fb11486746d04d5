"""The domains that are defined by functions on plain data, one file per domain."""
