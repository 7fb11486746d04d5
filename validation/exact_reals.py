"""Polynomials of time and their real roots, exactly.

A real number is rational, or an `Algebraic`: a polynomial of one root of another polynomial, whose
coefficients may again be algebraic. Its sign is read from an interval, which shrinks until it does
not contain 0; whether it is 0 is decided by the greatest common divisor of both polynomials. So
every comparison is decided, and no number is rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import total_ordering
from itertools import count, pairwise, zip_longest
from math import isqrt, lcm
from typing import Final, Union

from pddl_pipeline.model.number import Number, normal, number_text

Real = Union[Number, "Algebraic"]
Polynomial = tuple[Real, ...]
"""The coefficients from that of the lowest power; the last one is not 0."""
_DIGITS: Final = 6


def sign(number: Real) -> int:
    """Return -1, 0 or 1."""
    if isinstance(number, Algebraic):
        return number.sign()
    return (number > 0) - (number < 0)


def ratio(left: Real, right: Real) -> Real:
    """Return an exact quotient.

    Raises:
        ZeroDivisionError: the second number is 0.
    """
    if isinstance(right, Algebraic):
        return left * right.inverse()
    if isinstance(left, Algebraic):
        return left * Fraction(1, right)
    return normal(Fraction(left, right))


def trimmed(coefficients: Sequence[Real]) -> Polynomial:
    """Return a polynomial without leading zeros."""
    length = len(coefficients)
    while length and coefficients[length - 1] == 0:
        length -= 1
    return tuple(coefficients[:length])


def plus(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return a sum."""
    return trimmed([a + b for a, b in zip_longest(left, right, fillvalue=0)])


def minus(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return a difference."""
    return trimmed([a - b for a, b in zip_longest(left, right, fillvalue=0)])


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return a product."""
    found: list[Real] = [0] * (len(left) + len(right) - 1) if left and right else []
    for place, a in enumerate(left):
        for further, b in enumerate(right, start=place):
            found[further] += a * b
    return trimmed(found)


def divided(left: Polynomial, right: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Return the quotient and the remainder of a division by a polynomial that is not 0."""
    # Schoolbook division: the leading terms cancel, one place after the other.
    rest, quotient = list(left), list[Real]()
    for place in range(len(left) - len(right), -1, -1):
        factor = ratio(rest.pop(), right[-1])
        quotient.append(factor)
        for further, b in enumerate(right[:-1], start=place):
            rest[further] -= factor * b
    return tuple(reversed(quotient)), trimmed(rest)


def derivative(polynomial: Polynomial) -> Polynomial:
    """Return the derivative."""
    return tuple(power * each for power, each in enumerate(polynomial))[1:]


def integral(polynomial: Polynomial) -> Polynomial:
    """Return the integral from 0."""
    return (0, *(ratio(each, power) for power, each in enumerate(polynomial, start=1)))


def value_at(polynomial: Polynomial, place: Real) -> Real:
    """Return the value of a polynomial."""
    found: Real = 0
    for coefficient in reversed(polynomial):
        found = found * place + coefficient
    return found if isinstance(found, Algebraic) else normal(found)


def common_divisor(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return a greatest common divisor of two polynomials; its last coefficient is 1."""
    while right:
        # With the leading coefficient 1, the others grow less from round to round.
        right = tuple(ratio(each, right[-1]) for each in right)
        left, right = right, divided(left, right)[1]
    return left


class Root:
    """An irrational root of a polynomial, the only one in an interval."""

    def __init__(self, polynomial: Polynomial, low: Fraction, high: Fraction) -> None:
        self.polynomial = polynomial
        """Without multiple roots; its coefficients use only older roots than this one."""
        self.low = low
        self.high = high
        self.number = next(_NUMBERS)
        """An order by age."""
        self._sign = _sign_beside(polynomial, low, 1)

    def refine(self) -> None:
        """Halve the interval."""
        middle = (self.low + self.high) / 2
        found = sign(value_at(self.polynomial, middle))
        # The sign just after `low` stays the same up to the root.
        if found == self._sign or not found:
            self.low = middle
        if found != self._sign:
            self.high = middle

    def divide(self, factor: Polynomial) -> bool:
        """Return whether the root is one of a factor of the polynomial; keep only its part."""
        is_root = _sign_beside(factor, self.low, 1) != _sign_beside(factor, self.high, -1)
        # A single point has no two sides: the factor has the root if it is 0 there.
        if self.low == self.high:
            is_root = value_at(factor, self.low) == 0
        # A smaller polynomial of the same root makes every later computation faster.
        self.polynomial = factor if is_root else divided(self.polynomial, factor)[0]
        self._sign = _sign_beside(self.polynomial, self.low, 1)
        return is_root


_NUMBERS: Final = count()


def _sign_beside(polynomial: Polynomial, place: Fraction, side: int) -> int:
    """Return the sign just after a place, or before it for the side -1; all roots are simple."""
    found = sign(value_at(polynomial, place))
    return found or side * sign(value_at(derivative(polynomial), place))


@total_ordering
class Algebraic:
    """A number that is a polynomial of a root."""

    __slots__ = ("polynomial", "root")

    def __init__(self, root: Root, polynomial: Polynomial) -> None:
        self.root = root
        self.polynomial = polynomial

    def _made(self, polynomial: Polynomial) -> Real:
        if len(polynomial) >= len(self.root.polynomial):
            polynomial = divided(polynomial, self.root.polynomial)[1]
        # Without the root in it, the number is a coefficient: one of an older root, or rational.
        if len(polynomial) < 2:
            return polynomial[0] if polynomial else 0
        return Algebraic(self.root, polynomial)

    def _over(self, other: Real) -> Polynomial | None:
        """Return another number as a polynomial of this root; None if its root is younger."""
        if not isinstance(other, Algebraic) or other.root.number < self.root.number:
            return (other,)
        return other.polynomial if other.root is self.root else None

    def __add__(self, other: Real) -> Real:
        right = self._over(other)
        return other + self if right is None else self._made(plus(self.polynomial, right))

    __radd__ = __add__

    def __neg__(self) -> Algebraic:
        return Algebraic(self.root, tuple(-coefficient for coefficient in self.polynomial))

    def __sub__(self, other: Real) -> Real:
        return self + -other

    def __rsub__(self, other: Real) -> Real:
        return -self + other

    def __mul__(self, other: Real) -> Real:
        right = self._over(other)
        return other * self if right is None else self._made(times(self.polynomial, right))

    __rmul__ = __mul__

    def inverse(self) -> Real:
        """Return 1 divided by the number.

        Raises:
            ZeroDivisionError: it is 0.
        """
        if self.vanishes():
            raise ZeroDivisionError
        left, right = self.root.polynomial, self.polynomial
        # The extended Euclidean algorithm: at the end, factor times the number is a constant modulo
        # the polynomial of the root.
        before, factor = Polynomial(), Polynomial((1,))
        right = divided(right, left)[1]
        while len(right) > 1:
            quotient, rest = divided(left, right)
            left, right = right, rest
            before, factor = factor, minus(before, times(quotient, factor))
        return self._made(tuple(ratio(each, right[0]) for each in factor))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | Fraction | Algebraic) and sign(self - other) == 0

    def __lt__(self, other: Real) -> bool:
        return sign(self - other) < 0

    __hash__ = None  # type: ignore[assignment]

    def bounds(self) -> tuple[Number, Number]:
        """Return an interval that contains the number."""
        low, high = self.root.low, self.root.high
        found: tuple[Number, Number] = (0, 0)
        for coefficient in reversed(self.polynomial):
            # Horner, in intervals: the ends of a product are among the products of the ends.
            products = [a * b for a in found for b in (low, high)]
            least, most = (
                coefficient.bounds()
                if isinstance(coefficient, Algebraic)
                else (coefficient, coefficient)
            )
            found = min(products) + least, max(products) + most
        return found

    def refine(self) -> None:
        """Shrink the interval of `bounds`."""
        self.root.refine()
        for coefficient in self.polynomial:
            if isinstance(coefficient, Algebraic):
                coefficient.refine()

    @property
    def degree(self) -> int:
        """The product of the degrees of the polynomials whose roots the number uses."""
        inner = [
            coefficient.degree
            for coefficient in self.polynomial
            if isinstance(coefficient, Algebraic)
        ]
        return (len(self.root.polynomial) - 1) * max(inner, default=1)

    def vanishes(self) -> bool:
        """Return whether the number is 0."""
        shared = common_divisor(self.root.polynomial, self.polynomial)
        return len(shared) > 1 and self.root.divide(shared)

    def sign(self) -> int:
        """Return -1, 0 or 1."""
        attempt = 0
        low, high = self.bounds()
        while low <= 0 <= high:
            attempt += 1
            # The test takes long, and most signs are clear before it. It is made once: what is not
            # 0 gets a sign sooner or later.
            if attempt == _ATTEMPTS and self.vanishes():
                return 0
            self.refine()
            low, high = self.bounds()
        return 1 if low > 0 else -1

    def _near(self, digits: int) -> Fraction:
        """Return a number that is near this one."""
        low, high = self.bounds()
        while (high - low) * 10**digits > 1:
            self.refine()
            low, high = self.bounds()
        return Fraction(low + high) / 2

    def __float__(self) -> float:
        return float(self._near(12))

    def __str__(self) -> str:
        scaled = round(self._near(_DIGITS + 1) * 10**_DIGITS)
        return f"{number_text(Fraction(scaled, 10**_DIGITS))}…"


_ATTEMPTS: Final = 16
"""How often an interval is halved before it is tested whether a number is 0."""


def roots(polynomial: Polynomial, high: Real) -> list[Real]:
    """Return the distinct roots from 0 to a number, in order; none of a polynomial that is 0."""
    found: list[Real] = []
    if polynomial and polynomial[0] == 0:
        found.append(0)
        # 0 is a root as often as the lowest coefficients are 0. What is left is not 0 at 0.
        while polynomial[0] == 0:
            polynomial = polynomial[1:]
    if len(polynomial) == 2:
        found.append(ratio(-polynomial[0], polynomial[1]))
    elif len(polynomial) == 3:
        found += _square_roots(*polynomial, highest=high)
    elif len(polynomial) > 3:
        # Multiple roots are those of the derivative, too; without these, all roots are simple.
        shared = common_divisor(polynomial, derivative(polynomial))
        if len(shared) > 1:
            polynomial = divided(polynomial, shared)[0]
        found += _irrational(polynomial, high)
    return [each for each in found if 0 <= each <= high]


def _square_roots(low: Real, middle: Real, high: Real, highest: Real) -> list[Real]:
    """Return the roots of a polynomial of degree 2, in order."""
    square = middle * middle - 4 * low * high
    side = sign(square)
    if side < 0:
        return []
    if side == 0:
        return [ratio(-middle, 2 * high)]
    if not isinstance(square, Algebraic):
        root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
        if root * root == square:
            both = ratio(-middle - root, 2 * high), ratio(-middle + root, 2 * high)
            return sorted(both)
    return [*_irrational((low, middle, high), highest)]


def _irrational(polynomial: Polynomial, high: Real) -> Iterator[Real]:
    """Yield the roots of a polynomial in order, from 0 to at least a number.

    The polynomial is not 0 at 0, and has no multiple roots. A part of the interval has no root or
    a single one if the coefficients of a polynomial that is mapped there change their sign so often
    (Descartes); the others are halved.
    """
    rational = [coefficient for coefficient in polynomial if not isinstance(coefficient, Algebraic)]
    if len(rational) == len(polynomial):
        # Whole numbers, of which the rational roots are known (see `_root`).
        scale = lcm(*(each.denominator for each in rational))
        polynomial = tuple(int(each * scale) for each in rational)
    degree = len(polynomial) - 1
    # Above the last number, so that it is inside.
    width = int(high.bounds()[1] if isinstance(high, Algebraic) else high) + 1
    mapped: Sequence[Real] = [each * width**power for power, each in enumerate(polynomial)]
    parts: list[tuple[Sequence[Real], int, int]] = [(mapped, 0, 1)]
    while parts:
        mapped, place, pieces = parts.pop()
        signs = [found for found in map(sign, _moved(mapped[::-1])) if found]
        changes = sum(a != b for a, b in pairwise(signs))
        # Two or more changes: perhaps several roots. The halves are p(x/2) and p((x + 1)/2),
        # without the denominators.
        if changes > 1:
            halves = [each * 2 ** (degree - power) for power, each in enumerate(mapped)]
            # The left half is pushed last, to be popped first: roots come in order.
            parts.append((_moved(halves), 2 * place + 1, 2 * pieces))
            parts.append((halves, 2 * place, 2 * pieces))
            continue
        low, end = Fraction(place * width, pieces), Fraction((place + 1) * width, pieces)
        if changes:
            yield _root(polynomial, low, end)
        if value_at(polynomial, end) == 0:
            yield normal(end)


def _moved(polynomial: Sequence[Real]) -> list[Real]:
    """Return p(x + 1)."""
    found = list(polynomial)
    for start in range(len(found) - 1):
        for place in range(len(found) - 2, start - 1, -1):
            found[place] += found[place + 1]
    return found


def _root(polynomial: Polynomial, low: Fraction, high: Fraction) -> Real:
    """Return the root between two numbers."""
    root, lead = Root(polynomial, low, high), polynomial[-1]
    if isinstance(lead, int) and all(isinstance(coefficient, int) for coefficient in polynomial):
        # The denominator of a rational root divides the last coefficient.
        while (root.high - root.low) * lead * lead >= 1:
            root.refine()
        # In so small an interval, at most one fraction has such a denominator.
        near = ((root.low + root.high) / 2).limit_denominator(abs(lead))
        inside = root.low < near < root.high or root.low == root.high
        if inside and value_at(polynomial, near) == 0:
            return normal(near)
    return Algebraic(root, (0, 1))
