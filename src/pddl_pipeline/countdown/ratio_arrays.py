"""Weights of positive rationals in arrays, for compiled loops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


class Ratios(NamedTuple):
    """Weights of positive rationals: parallel arrays, and two indexes of their fingerprints."""

    p: Integers
    q: Integers
    weight: Integers
    residue: NDArray[np.int32]
    """Fingerprints of p/q."""
    inverse: NDArray[np.int32]
    """Fingerprints of q/p."""
    slots: NDArray[np.int32]
    """Hash table of positions by the low bits of the fingerprint, with linear probing; -1 is a free
    slot."""
    bits: NDArray[np.uint8]
    """Bit set of the low bits of all fingerprints."""


class Sums(NamedTuple):
    """Sums of weights under construction."""

    p: Integers
    q: Integers
    weight: Integers
    slots: NDArray[np.int32]
    """Hash table of positions, with linear probing; -1 is a free slot."""
    used: Integers
    """Number of values, as an array with one element."""
    bound: int
    """Values with a larger sum of p and q are omitted."""
