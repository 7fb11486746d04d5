"""Weights of positive rationals in arrays, and compiled loops over them.

Weights are added and multiplied modulo 2^64; values are exact.

`join` and `dot` find rationals by fingerprints. A rational's fingerprint is its residue modulo a
prime below 2^30. Equal rationals have equal fingerprints, and the fingerprints of x+y, x*y and so
on follow from those of x and y. One bit rules out nearly all rationals that are not made of x and
y; `_equal` decides the others exactly. Fingerprints are in Montgomery form (Math. Comp. 44, 1985),
so that products need no division.
"""

from __future__ import annotations

from math import gcd
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pddl_pipeline.countdown.arithmetic import Ratio
from pddl_pipeline.countdown.compiling import compiled

Integers = NDArray[np.int64]
Triple = tuple[int, int, int]

_LOW: Final = (1 << 32) - 1
# Bound on the relative error of two sums of two products of three integers each, computed as
# floats, and of their difference.
_OFF: Final = 2.0**-48
# Products of 64-bit integers are not computed above this bound.
_TOP: Final = 2.0**62
_MIX, _MIX2 = -7046029254386353131, 2862933555777941757


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


class Field(NamedTuple):
    """Residues modulo a prime."""

    prime: int
    negative: int
    """-1/prime modulo 2^32."""
    square: int
    """2^64 modulo the prime."""


@compiled
def _times(field: Field, a: int, b: int) -> int:
    """Return the product of residues in Montgomery form."""
    # Both are below 2^30, so the product fits into 64 bits.
    product = a * b
    low = ((product & _LOW) * field.negative) & _LOW
    result = (product + low * field.prime) >> 32
    return result - field.prime if result >= field.prime else result


@compiled
def _inverse(field: Field, a: int) -> int:
    """Return 1/a, computed as a to the power of prime - 2."""
    result = _times(field, 1, field.square)
    exponent = field.prime - 2
    while exponent:
        if exponent & 1:
            result = _times(field, result, a)
        a = _times(field, a, a)
        exponent >>= 1
    return result


@compiled
def index(field: Field, values: Ratios) -> bool:
    """Fill in fingerprints, slots and bits.

    Returns:
        True on success; False if the prime divides a numerator or a denominator.
    """
    mask, last = len(values.slots) - 1, len(values.bits) * 8 - 1
    for i in range(len(values.p)):
        p = _times(field, values.p[i] % field.prime, field.square)
        q = _times(field, values.q[i] % field.prime, field.square)
        if p == 0 or q == 0:
            return False
        # One inverse serves both fingerprints: 1/(pq), times p^2 is p/q, times q^2 is q/p.
        both = _inverse(field, _times(field, p, q))
        residue = _times(field, _times(field, p, p), both)
        values.residue[i] = residue
        values.inverse[i] = _times(field, _times(field, q, q), both)
        slot = residue & mask
        while values.slots[slot] >= 0:
            slot = (slot + 1) & mask
        values.slots[slot] = i
        values.bits[(residue & last) >> 3] |= 1 << (residue & 7)
    return True


@compiled
def _equal(first: Triple, second: Triple, third: Triple) -> bool:
    """Return whether the products of the first two triples add up to that of the third.

    The equation must hold modulo the prime. If it also holds modulo 2^64, it holds modulo the
    product of both. All sums are below 2^140: if they were not equal, they would differ by 2^93 or
    more, which their floats would show.
    """
    (a, b, c), (d, e, f), (g, h, i) = first, second, third
    # Integers of 64 bits wrap, so this is the equation modulo 2^64.
    if a * b * c + d * e * f != g * h * i:
        return False
    one = float(a) * b * c + float(d) * e * f
    other = float(g) * h * i
    return abs(one - other) <= _OFF * other


@compiled
def _is_sum(x: Ratio, y: Ratio, z: Ratio) -> bool:
    """Return whether x + y = z, given that it holds for the fingerprints."""
    return _equal((x[0], y[1], z[1]), (y[0], x[1], z[1]), (z[0], x[1], y[1]))


@compiled
def _is_product(x: Ratio, y: Ratio, z: Ratio) -> bool:
    """Return whether x * y = z, given that it holds for the fingerprints."""
    return _equal((x[0], y[0], z[1]), (0, 0, 0), (z[0], x[1], y[1]))


@compiled
def _hits(x: Ratio, y: Ratio, values: Ratios, residue: int, kind: int) -> int:
    """Return the weight of the value z with a fingerprint that is made of x and y by an operation.

    Kinds of operations: 0 x+y, 1 x-y, 2 y-x, 3 x*y, 4 x/y, 5 y/x.
    """
    mask = len(values.slots) - 1
    slot = residue & mask
    while values.slots[slot] >= 0:
        k = values.slots[slot]
        if values.residue[k] == residue:
            z = (values.p[k], values.q[k])
            if (
                (kind == 0 and _is_sum(x, y, z))
                or (kind == 1 and _is_sum(y, z, x))
                or (kind == 2 and _is_sum(x, z, y))
                or (kind == 3 and _is_product(x, y, z))
                or (kind == 4 and _is_product(y, z, x))
                or (kind == 5 and _is_product(x, z, y))
            ):
                return int(values.weight[k])
        slot = (slot + 1) & mask
    return 0


@compiled
def join(field: Field, first: Ratios, second: Ratios, third: Ratios) -> int:
    """Return the sum of the products of weights over x, y, z where an operation on x, y gives z."""
    last, prime, found = len(third.bits) * 8 - 1, field.prime, 0
    for i in range(len(first.p)):
        r, r_inverse = int(first.residue[i]), int(first.inverse[i])
        for j in range(len(second.p)):
            s, s_inverse = int(second.residue[j]), int(second.inverse[j])
            up, down = r + s, r - s
            made = (
                up - prime if up >= prime else up,
                down + prime if down < 0 else down,
                -down if down <= 0 else prime - down,
                _times(field, r, s),
                _times(field, r, s_inverse),
                _times(field, r_inverse, s),
            )
            # The order of the kinds is that of `_hits`.
            for kind in range(6):
                residue = made[kind]
                # Nearly all pairs end here, at one bit instead of a slot of the table.
                if third.bits[(residue & last) >> 3] >> (residue & 7) & 1:
                    x, y = (first.p[i], first.q[i]), (second.p[j], second.q[j])
                    weight = _hits(x, y, third, residue, kind)
                    found += first.weight[i] * second.weight[j] * weight
    return found


@compiled
def dot(x: Ratios, y: Ratios) -> int:
    """Return the sum, over all values, of the product of their two weights."""
    sum_, mask = 0, len(y.slots) - 1
    for i in range(len(x.p)):
        slot = x.residue[i] & mask
        while y.slots[slot] >= 0:
            k = y.slots[slot]
            if y.p[k] == x.p[i] and y.q[k] == x.q[i]:
                sum_ += x.weight[i] * y.weight[k]
                break
            slot = (slot + 1) & mask
    return sum_


@compiled
def put(sums: Sums, p: int, q: int, weight: int) -> None:
    """Add a weight to the value p/q, in lowest terms."""
    if p + q > sums.bound:
        return
    mask = len(sums.slots) - 1
    # Small numbers would fill a corner of the table without this.
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
    # An empty list does not tell numba the type of its items.
    left = [0 for _ in range(0)]
    for i in range(len(first.p)):
        for j in range(len(second.p)):
            x, y = (first.p[i], first.q[i]), (second.p[j], second.q[j])
            weight = first.weight[i] * second.weight[j] * times
            # Many denominators are 1, and a gcd takes long.
            common = gcd(x[1], y[1]) if min(x[1], y[1]) > 1 else 1
            if not _too_large(x, y, common):
                _put_sums(sums, x, y, common, weight)
            # Too large for 64 bits but perhaps within the bound: Python computes it.
            elif not _beyond(x, y, common, sums.bound):
                left.append(i * len(second.p) + j)
                continue
            _put_product(sums, x, y, weight)
            # One quotient is within the bound if and only if the other is.
            if _put_product(sums, x, (y[1], y[0]), weight):
                _put_product(sums, (x[1], x[0]), y, weight)
    return np.array(left, dtype=np.int64)
