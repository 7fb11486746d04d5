"""Old names of attributes, which warn for one release before they go."""

from __future__ import annotations

import warnings
from typing import Any


def renamed(new: str) -> property:
    """Return a property that stands for the attribute ``new`` under its old name."""

    def get(self: Any) -> Any:
        name = f"{type(self).__name__}.{new}"
        warnings.warn(f"use {name}; the old name goes in 0.3", DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    return property(get, doc=f"Deprecated name of `{new}`.")
