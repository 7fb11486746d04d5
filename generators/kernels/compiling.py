"""How functions are compiled."""

from __future__ import annotations

from typing import Any

from numba import njit


def compiled(function: Any) -> Any:
    """Compile a function at its first call, and keep the code where there is a folder to write to.

    Code is kept until the function's own file changes. What it calls belongs into the same file,
    unless it never changes.
    """
    try:
        return njit(cache=True)(function)
    except RuntimeError:
        return njit(function)
