"""Deprecated names of attributes, which warn until the next major version."""

from __future__ import annotations

import warnings
from typing import Any


def renamed(new: str) -> property:
    """Return a property that warns and returns the attribute ``new``."""

    def get(self: Any) -> Any:
        name = f"{type(self).__name__}.{new}"
        message = f"use {name}; the old name will be removed in 2.0"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    return property(get, doc=f"Deprecated name of `{new}`.")
