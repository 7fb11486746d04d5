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

from pddl_pipeline.countdown.compiling import compiled, inlined
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


class Value(NamedTuple):
    """A value of a walk.

    Functions that are called at each step take and return values, no arrays: counting the
    references to arrays would take more time than the arithmetic.
    """

    top: int
    """The numerator modulo the prime."""
    below: int
    """The denominator modulo the prime."""
    near: float
    """The value, rounded; 0 for 0 only."""
    off: float
    """A bound on the relative error."""


@compiled
def _mix(state: np.uint64) -> Any:
    """Return the output function of splitmix64."""
    state = (state ^ (state >> np.uint64(30))) * _MIX_1
    state = (state ^ (state >> np.uint64(27))) * _MIX_2
    return state ^ (state >> np.uint64(31))


@inlined
def _draw(state: np.uint64, count: int) -> Any:
    """Return the next state, an operator and two positions; all triples are equally likely.

    32 random bits are a fraction. It is multiplied by each of the three bounds in turn; the integer
    part of each product is a digit, and the fraction continues (Lemire 2019).
    """
    total = np.uint64(count * (count - 1)) * _OPERATORS
    while True:
        state += _GAMMA
        first = (_mix(state) >> _LIMB) * np.uint64(count)
        second = (first & _LOW) * np.uint64(count - 1)
        operator = (second & _LOW) * _OPERATORS
        low = operator & _LOW
        # Lemire: only products in the last, incomplete part of the range are drawn again. The first
        # test is true nearly always and needs no remainder.
        if low >= total or low >= _RANGE % total:
            break
    one, other = np.int64(first >> _LIMB), np.int64(second >> _LIMB)
    # The second position is one of the others: from the first one on, it moves up.
    return state, np.int64(operator >> _LIMB), one, other + (other >= one)


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
def _inverse(number: int) -> int:
    """Return the inverse of a residue, which is not 0, by the extended Euclidean algorithm."""
    upper, rest, inverse, other = PRIME, number, 1, 0
    while rest > 1:
        factor = upper // rest
        upper, rest = rest, upper - factor * rest
        other, inverse = inverse, other - factor * inverse
    return inverse % PRIME


@inlined
def _sum(x: Value, y: Value, sign: int) -> Any:
    """Return x + sign * y, and -1 if it is below 0, -2 if that is unknown, otherwise 0."""
    off, near = max(x.off, y.off), x.near + y.near
    if sign < 0:
        # The error of a difference is that of the operands, which may be much larger than it.
        slack = 4 * off * near
        near = x.near - y.near
        if near < -slack:
            return -1, x
        if near > slack:
            off = slack / near
        else:
            near = 0.0
    top = _times(x.top, y.below) + sign * _times(y.top, x.below)
    if top < 0:
        top += PRIME
    elif top >= PRIME:
        top -= PRIME
    value = Value(top, _times(x.below, y.below), near, off + _ROUNDING)
    return (-2 if top and near == 0 else 0), value


@inlined
def _product(x: Value, y: Value, operator: int) -> Any:
    """Return x * y or x / y, and -1 if y is a divisor of 0, -2 if the float is no use, or 0."""
    top, below, near = y.top, y.below, x.near
    if operator == _MULTIPLY:
        near *= y.near
    elif y.near == 0:
        return -1, x
    else:
        top, below = below, top
        near /= y.near
    value = Value(_times(x.top, top), _times(x.below, below), near, x.off + y.off + _ROUNDING)
    return (0 if _LEAST < near < _MOST or value.top == 0 else -2), value


@compiled
def _walk(values: Any, active: Any, state: np.uint64) -> int:
    """Combine the active values until one is left; return its position, or -1 if it is unknown."""
    count, (top, below, near, off) = len(active), values
    while count > 1:
        state, operator, first, second = _draw(state, count)
        one, other = active[first], active[second]
        x = Value(top[one], below[one], near[one], off[one])
        y = Value(top[other], below[other], near[other], off[other])
        if operator >= _MULTIPLY:
            result, x = _product(x, y, operator)
        else:
            result, x = _sum(x, y, -1 if operator == _SUBTRACT else 1)
        # The floats do not decide what the rules allow.
        if result < -1:
            return -1
        if result == 0:
            top[one], below[one], near[one], off[one] = x
            count -= 1
            active[second] = active[count]
    return int(active[0])


@compiled
def ends(numbers: Any, rounded: Any, seed: np.uint64, walks: int) -> Any:
    """Return the fingerprints of the end values, and the end values, rounded.

    Args:
        numbers: the fingerprints of the numbers at the start of each walk.
        rounded: the numbers, rounded.
        seed: the seed of the draws.
        walks: the number of walks.
    """
    keys, ends = np.full(walks, UNKNOWN), np.empty(walks)
    denominators, products, product = np.empty_like(keys), np.empty_like(keys), 1
    top, below, active = numbers.copy(), numbers.copy(), numbers.copy()
    near, off = rounded.copy(), rounded.copy()
    for walk in range(walks):
        for position in range(len(active)):
            top[position], below[position] = numbers[position], 1
            near[position], off[position] = rounded[position], _ROUNDING / 2
            active[position] = position
        last = _walk((top, below, near, off), active, _mix(_mix(seed) ^ np.uint64(walk)))
        # A denominator of 0 modulo the prime has no inverse.
        if last >= 0 and below[last] and off[last] < ACCURACY:
            keys[walk], ends[walk] = top[last], near[last]
            denominators[walk], products[walk] = below[last], product
            product = _times(product, below[last])
    # One inverse is enough for all denominators (Montgomery's trick).
    inverse = _inverse(product)
    for walk in range(walks - 1, -1, -1):
        if keys[walk] != UNKNOWN:
            keys[walk] = _times(keys[walk], _times(inverse, products[walk]))
            inverse = _times(inverse, denominators[walk])
    return keys, ends


@compiled
def grouped(keys: npt.NDArray[np.int64]) -> Any:
    """Return the group of each walk, and the first walk and the number of walks of each group.

    A group is the walks with the same key. The first walks are in ascending order.
    """
    table, found = np.full(2 * len(keys), -1), 0  # the groups, by open addressing
    groups, firsts, counts = np.empty_like(keys), np.empty_like(keys), np.zeros_like(keys)
    for walk in range(len(keys)):
        slot = np.int64(_mix(np.uint64(keys[walk])) % np.uint64(len(table)))
        while table[slot] >= 0 and keys[firsts[table[slot]]] != keys[walk]:
            slot = (slot + 1) % len(table)
        if table[slot] < 0:
            table[slot], firsts[found] = found, walk
            found += 1
        groups[walk] = table[slot]
        counts[groups[walk]] += 1
    return groups, firsts[:found], counts[:found]
