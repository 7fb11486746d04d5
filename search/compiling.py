"""How functions are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function at its first call, and keep the code where there is a folder to write to.

    Code is kept until the function's own file changes. What it calls belongs into the same file,
    unless it never changes.
    """
    try:
        return cast("Function", njit(cache=True)(function))
    except RuntimeError:
        # Neither beside the code nor in the user's cache can anything be written.
        return cast("Function", njit(function))
