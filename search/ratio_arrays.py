"""Weights of positive rationals in arrays, for compiled loops.

Functions that call each other are in one file: numba sees only from its own file that a function
that it has on disk is out of date.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Pair = tuple[int, int]
"""A rational, in lowest terms."""
Integers = NDArray[np.int64]
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function when it is first called; keep the code on disk where that is possible."""
    try:
        return cast("Function", njit(cache=True)(function))
    except RuntimeError:
        # Neither beside the code nor in the user's cache can anything be written.
        return cast("Function", njit(function))


class Ratios(NamedTuple):
    """Weights of positive rationals; arrays in one order, and two ways to find a fingerprint."""

    p: Integers
    q: Integers
    weight: Integers
    residue: NDArray[np.int32]
    """Fingerprints of p/q."""
    inverse: NDArray[np.int32]
    """Fingerprints of q/p."""
    slots: NDArray[np.int32]
    """Positions, by the low bits of the fingerprint, each in the first free slot; -1 where free."""
    bits: NDArray[np.uint8]
    """A bit for the low bits of each fingerprint."""


class Sums(NamedTuple):
    """Weights that are being added up."""

    p: Integers
    q: Integers
    weight: Integers
    slots: NDArray[np.int32]
    """Positions, each in the first free slot from its hash; -1 where free."""
    used: Integers
    """How many there are, one number."""
    bound: int
    """Values with a larger sum of p and q are left out."""
