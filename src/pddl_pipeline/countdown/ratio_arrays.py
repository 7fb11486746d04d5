"""Weights of positive rationals in arrays, for compiled loops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]
"""A rational, in lowest terms."""
Integers = NDArray[np.int64]


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
