"""Real roots of polynomials, beside products of known factors and 60-digit decimals."""

from __future__ import annotations

from decimal import Decimal, getcontext
from fractions import Fraction
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.validation.exact_reals import (
    Algebraic,
    Polynomial,
    Real,
    ratio,
    roots,
    sign,
    times,
    value_at,
)

getcontext().prec = 60
SMALL = st.integers(-30, 30)
LINEAR = st.tuples(SMALL, st.integers(1, 12))
SQUARE = st.tuples(SMALL, SMALL, st.integers(1, 7))


def decimal(number: Real) -> Decimal:
    low, high = (number, number) if not isinstance(number, Algebraic) else number.bounds()
    while isinstance(number, Algebraic) and high - low > Fraction(1, 10**45):
        number.refine()
        low, high = number.bounds()
    return Decimal(low.numerator) / Decimal(low.denominator)


def decimal_value(polynomial: Polynomial, place: Decimal) -> Decimal:
    return reduce(lambda value, each: value * place + decimal(each), polynomial[::-1], Decimal())


def square_roots(low: int, middle: int, high: int) -> list[Decimal]:
    square = middle * middle - 4 * low * high
    if square < 0:
        return []
    return [(side * Decimal(square).sqrt() - middle) / (2 * high) for side in (1, -1)]


@given(st.lists(LINEAR, max_size=4), st.lists(SQUARE, max_size=3), st.fractions(0, 9))
def test_roots_are_those_of_the_factors(
    linear: list[tuple[int, int]], square: list[tuple[int, int, int]], high: Fraction
) -> None:
    factors: list[Polynomial] = [each for each in (*linear, *square) if each]
    whole: Polynomial = reduce(times, factors, (1,))
    exact = [Decimal(-low) / high for low, high in linear]
    exact += [each for factor in square for each in square_roots(*factor)]
    inside = sorted(each for each in exact if 0 <= each <= decimal(high))
    distinct = [each for n, each in enumerate(inside) if not n or each - inside[n - 1] > 1e-40]
    found = roots(whole, high)
    assert len(found) == len(distinct)
    for number, near in zip(found, distinct, strict=True):
        assert abs(decimal(number) - near) < 1e-40
        assert value_at(whole, number) == 0
        for factor in factors:
            value = decimal_value(factor, near)
            expected = 0 if abs(value) < 1e-35 else int(value.copy_sign(1) / value)
            assert sign(value_at(factor, number)) == expected


@pytest.mark.parametrize("other", [3, 5, 8])
def test_roots_of_different_polynomials_are_one_field(other: int) -> None:
    (two,), (second,), (product,) = (roots((-n, 0, 1), n) for n in (2, other, 2 * other))
    assert two * second == product
    assert (two + second) * (second - two) == other - 2
    assert ratio(1, two + second) * (other - 2) == second - two
    assert two < second < product or product == 4
    assert two * two == 2
    assert str(two).startswith("1.41421")


@given(SMALL, SMALL, st.integers(1, 9), SMALL, st.integers(1, 5))
def test_polynomials_with_irrational_coefficients_have_their_roots(
    low: int, middle: int, high: int, move: int, further: int
) -> None:
    (two,) = roots((-2, 0, 1), 2)
    both: list[Polynomial] = [
        (low + move * root, middle, high + root, further * root) for root in (two, -two)
    ]
    found = roots(both[0], 20)
    rational = times(*both)
    assert not any(isinstance(each, Algebraic) for each in rational)
    assert found == [each for each in roots(rational, 20) if value_at(both[0], each) == 0]
    for number in found:
        assert abs(decimal_value(both[0], decimal(number))) < 1e-35
