"""Random walks of countdown and the tally of their end values, exact and compiled.

A value has a numerator and a denominator, integers of any length that are never reduced: a common
factor costs a few bits, whereas searching for it at every step would cost far more. A number is a
row of 32-bit limbs, the lowest first, with no limbs for 0. Value ``s`` has its numerator in row
``2 * s`` and its denominator in row ``2 * s + 1``; four more rows are scratch. Values are never
rounded.

The draws are bit for bit those of `pddl_pipeline.countdown.walks.Draws`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pddl_pipeline.countdown.compiling import compiled
from pddl_pipeline.countdown.kernels.draws import draw, mix

Limbs = npt.NDArray[np.uint64]
Small = npt.NDArray[np.int64]
Row = int

_LOW: Final = np.uint64(0xFFFFFFFF)
_LIMB: Final = np.uint64(32)

_ADD, _SUBTRACT, _MULTIPLY, _DIVIDE = range(4)
_EMPTY = -1


@compiled
def _trim(limbs: Limbs, lengths: Small, row: Row, length: int) -> None:
    while length > 0 and limbs[row, length - 1] == 0:
        length -= 1
    lengths[row] = length


@compiled
def _copy(limbs: Limbs, lengths: Small, source: Row, row: Row) -> None:
    for position in range(lengths[source]):
        limbs[row, position] = limbs[source, position]
    lengths[row] = lengths[source]


@compiled
def _multiply(limbs: Limbs, lengths: Small, a: Row, b: Row, row: Row) -> None:
    """Set a row to the product of two other rows."""
    length = lengths[a] + lengths[b]
    for position in range(length):
        limbs[row, position] = 0
    for i in range(lengths[a]):
        factor, carry = limbs[a, i], np.uint64(0)
        for j in range(lengths[b]):
            # At most (2^32 - 1)^2 + 2 * (2^32 - 1), the largest 64-bit number.
            term = factor * limbs[b, j] + limbs[row, i + j] + carry
            limbs[row, i + j] = term & _LOW
            carry = term >> _LIMB
        limbs[row, i + lengths[b]] = carry
    _trim(limbs, lengths, row, length)


@compiled
def _add(limbs: Limbs, lengths: Small, row: Row, other: Row, sign: int) -> None:
    """Add the other row, times 1 or -1, to a row; for -1, the row must not be smaller."""
    length, carry = max(lengths[row], lengths[other]), np.int64(0)
    for position in range(length):
        term = carry
        if position < lengths[row]:
            term += np.int64(limbs[row, position])
        if position < lengths[other]:
            term += sign * np.int64(limbs[other, position])
        limbs[row, position] = np.uint64(term) & _LOW
        carry = term >> 32  # rounds down: -1 is a borrow
    limbs[row, length] = carry
    _trim(limbs, lengths, row, length + 1)


@compiled
def _compare(limbs: Limbs, lengths: Small, a: Row, b: Row) -> Any:
    """Return a number below, equal to or above 0 if row a is below, equal to or above row b."""
    if lengths[a] != lengths[b]:
        return lengths[a] - lengths[b]
    for position in range(lengths[a] - 1, -1, -1):
        if limbs[a, position] != limbs[b, position]:
            return 1 if limbs[a, position] > limbs[b, position] else -1
    return 0


@compiled
def _set(limbs: Limbs, lengths: Small, row: Row, number: np.uint64, carry: int) -> None:
    """Set a row to a 64-bit number, plus 2^64 if there is a carry."""
    limbs[row, 0], limbs[row, 1], limbs[row, 2] = number & _LOW, number >> _LIMB, carry
    lengths[row] = 3 if carry else 2 if number > _LOW else 1 if number else 0


@compiled
def _combine_short(limbs: Limbs, lengths: Small, operator: int, x: Row, y: Row) -> Any:
    """Do the same as `_combine` without loops, for values of single limbs, the most common case."""
    a = limbs[x, 0] if lengths[x] else np.uint64(0)
    c = limbs[y, 0] if lengths[y] else np.uint64(0)
    b, d, carry = limbs[x + 1, 0], limbs[y + 1, 0], False
    if operator == _DIVIDE:
        if c == 0:
            return False
        c, d = d, c
    if operator >= _MULTIPLY:
        top = a * c
    else:
        top, other = a * d, c * b
        if operator == _ADD:
            top += other
            carry = top < other  # beyond 64 bits it wraps around
        elif top < other:
            return False
        else:
            top -= other
    _set(limbs, lengths, x, top, carry)
    _set(limbs, lengths, x + 1, b * d, 0)
    return True


@compiled
def _combine(limbs: Limbs, lengths: Small, operator: int, x: Row, y: Row) -> Any:
    """Set the value in row x to x operator y; return False if the rules forbid it."""
    if max(lengths[x], lengths[x + 1], lengths[y], lengths[y + 1]) == 1:
        return _combine_short(limbs, lengths, operator, x, y)
    top, below = len(lengths) - 4, len(lengths) - 3
    if operator == _DIVIDE:
        if lengths[y] == 0:
            return False
        _multiply(limbs, lengths, x, y + 1, top)
        _multiply(limbs, lengths, x + 1, y, below)
    elif operator == _MULTIPLY:
        _multiply(limbs, lengths, x, y, top)
        _multiply(limbs, lengths, x + 1, y + 1, below)
    else:
        _multiply(limbs, lengths, x, y + 1, top)
        _multiply(limbs, lengths, y, x + 1, below)
        if operator == _ADD:
            _add(limbs, lengths, top, below, 1)
        elif _compare(limbs, lengths, top, below) < 0:
            return False
        else:
            _add(limbs, lengths, top, below, -1)
        _multiply(limbs, lengths, x + 1, y + 1, below)
    _copy(limbs, lengths, top, x)
    _copy(limbs, lengths, below, x + 1)
    return True


@compiled
def _walk(limbs: Limbs, lengths: Small, active: Small, operators: Small, state: Limbs) -> Any:
    """Combine the active values until one is left; return its row."""
    count = len(active)
    while count > 1:
        drawn, first, second = draw(state, len(operators), count)
        if _combine(limbs, lengths, operators[drawn], 2 * active[first], 2 * active[second]):
            count -= 1
            active[second] = active[count]
    return 2 * active[0]


@compiled
def _residue(limbs: Limbs, lengths: Small, row: Row, prime: np.uint64) -> Any:
    rest = np.uint64(0)
    for position in range(lengths[row] - 1, -1, -1):
        rest = ((rest << _LIMB) | limbs[row, position]) % prime
    return rest


@compiled
def _key(limbs: Limbs, lengths: Small, row: Row, prime: np.uint64) -> Any:
    """Return a value modulo a 31-bit prime, or -1 if the prime divides the denominator."""
    upper, rest = np.int64(prime), np.int64(_residue(limbs, lengths, row + 1, prime))
    if rest == 0:
        return np.int64(-1)
    inverse, other = np.int64(1), np.int64(0)
    while rest > 1:  # the extended Euclidean algorithm
        quotient = upper // rest
        upper, rest = rest, upper - quotient * rest
        other, inverse = inverse, other - quotient * inverse
    found = np.int64(_residue(limbs, lengths, row, prime))
    return found * (inverse % np.int64(prime)) % np.int64(prime)


class Table(NamedTuple):
    """The distinct end values so far: a hash table of positions, and the data of each position."""

    table: Small
    keys: Small
    counts: Small
    """The number of walks that end with the value."""
    walks: Small
    """The first walk that ends with the value."""
    starts: Small
    """Start of its limbs, numerator before denominator; one entry more than there are values."""
    middles: Small
    """Start of the limbs of its denominator."""


@compiled
def _same(  # noqa: PLR0913, PLR0917 -- numba has no objects
    limbs: Limbs, lengths: Small, row: Row, known: Table, pool: Any, entry: int
) -> Any:
    """Return whether a value equals a known value, by cross-multiplication."""
    scratch = len(lengths) - 4
    start, middle, end = known.starts[entry], known.middles[entry], known.starts[entry + 1]
    for position in range(start, middle):
        limbs[scratch, position - start] = pool[position]
    lengths[scratch] = middle - start
    _multiply(limbs, lengths, scratch, row + 1, scratch + 2)
    for position in range(middle, end):
        limbs[scratch, position - middle] = pool[position]
    lengths[scratch] = end - middle
    _multiply(limbs, lengths, scratch, row, scratch + 3)
    return _compare(limbs, lengths, scratch + 2, scratch + 3) == 0


@compiled
def _store(limbs: Limbs, lengths: Small, row: Row, pool: Any, start: int) -> Any:
    """Append a row to the pool; return the pool, which may be a larger copy."""
    if start + lengths[row] > len(pool):
        larger = np.empty(2 * len(pool) + lengths[row], np.uint32)
        larger[:start] = pool[:start]
        pool = larger
    for position in range(lengths[row]):
        pool[start + position] = limbs[row, position]
    return pool


@compiled
def _count(  # noqa: PLR0913, PLR0917 -- numba has no objects
    limbs: Limbs, lengths: Small, row: Row, known: Table, pool: Any, found: int, key: int, walk: int
) -> Any:
    """Count an end value; return the pool and the number of distinct values."""
    mask = len(known.table) - 1
    slot = np.int64(mix(np.uint64(key)) >> _LIMB) & mask
    while known.table[slot] != _EMPTY:
        entry = known.table[slot]
        if known.keys[entry] == key and _same(limbs, lengths, row, known, pool, entry):
            known.counts[entry] += 1
            return pool, found
        slot = (slot + 1) & mask
    known.table[slot] = found
    known.keys[found], known.counts[found], known.walks[found] = key, 1, walk
    start = known.starts[found]
    known.middles[found] = start + lengths[row]
    pool = _store(limbs, lengths, row, pool, start)
    pool = _store(limbs, lengths, row + 1, pool, known.middles[found])
    known.starts[found + 1] = known.middles[found] + lengths[row + 1]
    return pool, found + 1


@compiled
def tally(  # noqa: PLR0913, PLR0917 -- numba has no objects
    values: Limbs, sizes: Small, operators: Small, seed: np.uint64, known: Table, prime: np.uint64
) -> Any:
    """Count the end values of as many walks as ``known`` has room for.

    Args:
        values: rows of the numbers, with room for the products of any two end values.
        sizes: lengths of the rows.
        operators: numbers of the allowed operators, ascending.
        seed: the mixed seed of the draws.
        known: an empty table.
        prime: a prime of at most 31 bits; it only affects the order of the search in the table.

    Returns:
        The limbs, and the number of distinct values; -1 if the prime divides a denominator, so that
        equal values would not have equal keys.
    """
    limbs, lengths, state = values.copy(), sizes.copy(), np.empty(1, np.uint64)
    numbers = (len(sizes) - 4) // 2
    active = np.empty(numbers, np.int64)
    pool, found = np.empty(4 * len(known.counts) + 16, np.uint32), 0
    for walk in range(len(known.counts)):
        for row in range(2 * numbers):
            lengths[row] = sizes[row]
            for position in range(sizes[row]):
                limbs[row, position] = values[row, position]
            active[row // 2] = row // 2
        state[0] = mix(seed ^ np.uint64(walk))
        row = _walk(limbs, lengths, active, operators, state)
        key = _key(limbs, lengths, row, prime)
        if key < 0:
            return pool, -1
        pool, found = _count(limbs, lengths, row, known, pool, found, key, walk)
    return pool, found
