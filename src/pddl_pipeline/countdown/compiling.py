"""Compilation of functions with numba, if it is installed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def has_numba() -> bool:
    """Return whether numba is installed."""
    return find_spec("numba") is not None


def compiled(function: Function, inline: str = "never") -> Function:
    """Compile a function at its first call, and cache the code if a folder is writable.

    The code is cached until the function's own file changes. Functions that it calls must be in the
    same file, unless they never change.
    """
    from numba import njit  # slow to import

    try:
        return cast("Function", njit(cache=True, inline=inline)(function))
    except RuntimeError:
        # Neither the folder of the code nor the user's cache is writable.
        return cast("Function", njit(inline=inline)(function))


inlined = partial(compiled, inline="always")
"""Compile a function as a part of the functions that call it."""
