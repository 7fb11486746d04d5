"""Adds up weights of rationals: compiled loops.

Weights are added and multiplied modulo 2^64; values are exact.
"""

from __future__ import annotations

from math import gcd
from typing import Final

import numpy as np

from pddl_pipeline.countdown.compiling import compiled
from pddl_pipeline.countdown.ratio_arrays import Integers, Ratios, Sums
from pddl_pipeline.countdown.weights import Ratio

# Products of 64-bit integers are not computed above this bound.
_TOP: Final = 2.0**62
_MIX, _MIX2 = -7046029254386353131, 2862933555777941757


@compiled
def put(sums: Sums, p: int, q: int, weight: int) -> None:
    """Add a weight to the value p/q, in lowest terms."""
    if p + q > sums.bound:
        return
    mask = len(sums.slots) - 1
    mixed = p * _MIX + q * _MIX2
    slot = (mixed ^ (mixed >> 29)) & mask
    while True:
        at = sums.slots[slot]
        if at < 0:
            at = sums.used[0]
            sums.slots[slot] = at
            sums.p[at], sums.q[at], sums.weight[at] = p, q, weight
            sums.used[0] += 1
            return
        if sums.p[at] == p and sums.q[at] == q:
            sums.weight[at] += weight
            return
        slot = (slot + 1) & mask


@compiled
def add(sums: Sums, values: Ratios, times: int) -> None:
    """Add weights, multiplied by `times`."""
    for i in range(len(values.p)):
        put(sums, values.p[i], values.q[i], values.weight[i] * times)


@compiled
def _too_large(x: Ratio, y: Ratio, common: int) -> bool:
    """Return whether computing the sum or the difference may need more than 63 bits."""
    (a, b), (c, d) = x, y
    left, right = float(a) * (d // common), float(c) * (b // common)
    return left + right > _TOP or float(b) * (d // common) > _TOP


@compiled
def _beyond(x: Ratio, y: Ratio, common: int, bound: int) -> bool:
    """Return whether the sum and the difference certainly exceed the bound.

    In lowest terms, numerator and denominator are at least these values divided by `common`.
    """
    (a, b), (c, d) = x, y
    left, right = float(a) * (d // common), float(c) * (b // common)
    least = 1.001 * bound * common
    if float(b) * (d // common) > least:
        return True
    difference = abs(left - right)
    return difference > 1e-9 * (left + right) and difference > least


@compiled
def _put_sums(sums: Sums, x: Ratio, y: Ratio, common: int, weight: int) -> None:
    (a, b), (c, d) = x, y
    left, right, below = a * (d // common), c * (b // common), b * (d // common)
    factor = gcd(left + right, common) if common > 1 else 1
    put(sums, (left + right) // factor, below // factor, weight)
    if left != right:
        factor = gcd(abs(left - right), common) if common > 1 else 1
        put(sums, abs(left - right) // factor, below // factor, weight)


@compiled
def _put_product(sums: Sums, x: Ratio, y: Ratio, weight: int) -> bool:
    """Add a weight to a product; return whether the product is within the bound."""
    (a, b), (c, d) = x, y
    across = gcd(a, d) if d > 1 else 1
    back = gcd(c, b) if b > 1 else 1
    a, d, c, b = a // across, d // across, c // back, b // back
    if max(float(a) * c, float(b) * d) > 1.001 * sums.bound:
        return False
    put(sums, a * c, b * d, weight)
    return a * c + b * d <= sums.bound


@compiled
def combine(sums: Sums, first: Ratios, second: Ratios, times: int) -> Integers:
    """Add the product of two weights to all values that the two values make, except 0.

    The bound must be below 2^61.

    Returns:
        The pairs for which 64 bits are not enough, as ``i * len(second) + j``; nothing is added
        for these pairs.
    """
    left = [0 for _ in range(0)]
    for i in range(len(first.p)):
        for j in range(len(second.p)):
            x, y = (first.p[i], first.q[i]), (second.p[j], second.q[j])
            weight = first.weight[i] * second.weight[j] * times
            common = gcd(x[1], y[1]) if min(x[1], y[1]) > 1 else 1
            if not _too_large(x, y, common):
                _put_sums(sums, x, y, common, weight)
            elif not _beyond(x, y, common, sums.bound):
                left.append(i * len(second.p) + j)
                continue
            _put_product(sums, x, y, weight)
            # One quotient is within the bound if and only if the other is.
            if _put_product(sums, x, (y[1], y[0]), weight):
                _put_product(sums, (x[1], x[0]), y, weight)
    return np.array(left, dtype=np.int64)
