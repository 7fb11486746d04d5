"""Whether functions can be compiled, and how they are."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def has_numba() -> bool:
    """Whether compiled arithmetic is there."""
    return find_spec("numba") is not None


def compiled(function: Function) -> Function:
    """Compile a function at its first call, and keep the code where there is a folder to write to.

    Code is kept until the function's own file changes. What it calls belongs into the same file,
    unless it never changes.
    """
    from numba import njit  # noqa: PLC0415 -- slow to import

    try:
        return cast("Function", njit(cache=True)(function))
    except RuntimeError:
        # Neither beside the code nor in the user's cache can anything be written.
        return cast("Function", njit(function))
