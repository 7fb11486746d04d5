"""Random walks of countdown, compiled; the draws are bit for bit those of `walks.Draws`.

The draws must never change: every dataset generated from a seed would change, too.

A walk computes with fingerprints, not with fractions: the numerator and the denominator of a value
modulo a prime, the value as a float, and a bound on the float's relative error. The floats decide
which differences are negative. If they cannot, the walk is left to Python's fractions.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pddl_pipeline.countdown.compiling import compiled
from pddl_pipeline.countdown.walks import GAMMA, MIX_1, MIX_2

PRIME: Final = 2**61 - 1
UNKNOWN: Final = -1
"""In place of a fingerprint."""

_GAMMA: Final = np.uint64(GAMMA)
_MIX_1: Final = np.uint64(MIX_1)
_MIX_2: Final = np.uint64(MIX_2)
_LOW: Final = np.uint64(0xFFFFFFFF)
_LIMB: Final = np.uint64(32)
_RANGE: Final = np.uint64(1 << 32)

_OPERATORS: Final = np.uint64(4)
_SUBTRACT, _MULTIPLY = 1, 2
_ROUNDING: Final = 2.0**-52
_LEAST, _MOST = 1e-280, 1e280
ACCURACY: Final = 1e-9
"""Largest relative error of a rounded end value."""


class Values(NamedTuple):
    """The values of one walk."""

    top: npt.NDArray[np.int64]
    """Numerators modulo the prime."""
    below: npt.NDArray[np.int64]
    """Denominators modulo the prime."""
    near: npt.NDArray[np.float64]
    """The values, rounded; 0 for 0 only."""
    off: npt.NDArray[np.float64]
    """Bounds on the relative errors."""


@compiled
def _mix(state: np.uint64) -> Any:
    """Return the output function of splitmix64."""
    state = (state ^ (state >> np.uint64(30))) * _MIX_1
    state = (state ^ (state >> np.uint64(27))) * _MIX_2
    return state ^ (state >> np.uint64(31))


@compiled
def _draw(state: npt.NDArray[np.uint64], count: int) -> Any:
    """Return an operator and two positions; all triples are equally likely (Lemire 2019).

    32 random bits are a fraction. It is multiplied by each of the three bounds in turn; the integer
    part of each product is a digit, and the fraction continues.
    """
    total = np.uint64(count * (count - 1)) * _OPERATORS
    while True:
        state[0] += _GAMMA
        first = (_mix(state[0]) >> _LIMB) * np.uint64(count)
        second = (first & _LOW) * np.uint64(count - 1)
        operator = (second & _LOW) * _OPERATORS
        low = operator & _LOW
        if low >= total or low >= _RANGE % total:
            break
    one, other = np.int64(first >> _LIMB), np.int64(second >> _LIMB)
    return np.int64(operator >> _LIMB), one, other + (other >= one)


@compiled
def _times(a: int, b: int) -> int:
    """Return the product of two residues, from products of halves: 2^61 is 1, and 2^62 is 2."""
    a_low, a_high, b_low, b_high = a & 0x7FFFFFFF, a >> 31, b & 0x7FFFFFFF, b >> 31
    low, middle = a_low * b_low, a_low * b_high + a_high * b_low
    product = (low & PRIME) + (low >> 61) + ((middle & 0x3FFFFFFF) << 31) + (middle >> 30)
    product += 2 * a_high * b_high
    product = (product & PRIME) + (product >> 61)
    return product - PRIME if product >= PRIME else product


@compiled
def _quotient(a: int, b: int) -> int:
    """Return a divided by b, which is not 0, by the extended Euclidean algorithm."""
    upper, rest, inverse, other = PRIME, b, 1, 0
    while rest > 1:
        factor = upper // rest
        upper, rest = rest, upper - factor * rest
        other, inverse = inverse, other - factor * inverse
    return _times(a, inverse % PRIME)


@compiled
def _sum(values: Values, x: int, y: int, sign: int) -> int:
    """Set x to x + sign * y; return -1 if the result is below 0, and -2 if that is unknown."""
    a, b, off = values.near[x], values.near[y], max(values.off[x], values.off[y])
    near = a + b
    if sign < 0:
        slack = 4 * off * near
        near = a - b
        if near < -slack:
            return -1
        if near > slack:
            off = slack / near
        else:
            near = 0.0
    left = _times(values.top[x], values.below[y])
    top = left + sign * _times(values.top[y], values.below[x])
    if top < 0:
        top += PRIME
    elif top >= PRIME:
        top -= PRIME
    values.top[x], values.below[x] = top, _times(values.below[x], values.below[y])
    values.near[x], values.off[x] = near, off + _ROUNDING
    return -2 if top and near == 0 else 0


@compiled
def _product(values: Values, x: int, y: int, operator: int) -> int:
    """Set x to x * y or x / y; return -1 if y is a divisor of 0, and -2 if the float is no use."""
    top, below, near = values.top[y], values.below[y], values.near[x]
    if operator == _MULTIPLY:
        near *= values.near[y]
    elif values.near[y] == 0:
        return -1
    else:
        top, below = below, top
        near /= values.near[y]
    values.top[x], values.below[x] = _times(values.top[x], top), _times(values.below[x], below)
    values.near[x] = near
    values.off[x] += values.off[y] + _ROUNDING
    return 0 if _LEAST < near < _MOST or values.top[x] == 0 else -2


@compiled
def _walk(values: Values, active: Any, state: Any) -> int:
    """Combine the active values until one is left; return its position, or -1 if it is unknown."""
    count = len(active)
    while count > 1:
        operator, first, second = _draw(state, count)
        x, y = active[first], active[second]
        if operator >= _MULTIPLY:
            result = _product(values, x, y, operator)
        else:
            result = _sum(values, x, y, -1 if operator == _SUBTRACT else 1)
        if result < -1:
            return -1
        if result == 0:
            count -= 1
            active[second] = active[count]
    return int(active[0])


@compiled
def ends(start: Values, seed: np.uint64, walks: int) -> Any:
    """Return the fingerprints of the end values, and the end values, rounded.

    Args:
        start: the numbers at the start of each walk.
        seed: the seed of the draws.
        walks: the number of walks.
    """
    keys, near = np.full(walks, UNKNOWN), np.empty(walks)
    values = Values(start.top.copy(), start.below.copy(), start.near.copy(), start.off.copy())
    state, mixed = np.empty(1, np.uint64), _mix(seed)
    active = np.empty(len(start.top), np.int64)
    for walk in range(walks):
        for position in range(len(active)):
            values.top[position] = start.top[position]
            values.below[position] = start.below[position]
            values.near[position] = start.near[position]
            values.off[position] = start.off[position]
            active[position] = position
        state[0] = _mix(mixed ^ np.uint64(walk))
        last = _walk(values, active, state)
        if last >= 0 and values.below[last] and values.off[last] < ACCURACY:
            keys[walk] = _quotient(values.top[last], values.below[last])
            near[walk] = values.near[last]
    return keys, near
