"""The four operations, against the expressions of Python."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.model.operations import (
    ACTIONS,
    SIGNS,
    combine,
    is_defined,
    operand_text,
    without_signs,
)

numbers = st.integers(-20, 20) | st.fractions(-9, 9, max_denominator=6)
actions = st.sampled_from(sorted(SIGNS))


@given(actions, numbers, numbers)
def test_results_are_exact_and_whole_numbers_are_integers(
    action: str, x: int | Fraction, y: int | Fraction
) -> None:
    if not is_defined(action, y):
        with pytest.raises(ZeroDivisionError):
            combine(action, x, y)
        return
    made = combine(action, x, y)
    exact = eval(f"x {SIGNS[action]} y", {"x": Fraction(x), "y": y})  # noqa: S307 -- own text
    assert (made, isinstance(made, int)) == (exact, made.denominator == 1)


@pytest.mark.parametrize(
    ("sign", "x", "y", "made"),
    [("+", 0.1, 0.2, 0.1 + 0.2), ("/", 1, 3.0, 1 / 3), ("/", 8.0, 3, 8 / 3), ("*", 2, 0.5, 1.0)],
)
def test_floats_stay_floats(sign: str, x: float, y: float, made: float) -> None:
    found = combine(ACTIONS[sign], x, y)
    assert (type(found), found) == (float, made)


@given(action=actions, x=st.integers(1, 9), y=st.integers(1, 9), first=..., second=...)
def test_an_operation_without_signs_has_the_same_result(
    *, action: str, x: int, y: int, first: bool, second: bool
) -> None:
    plain, swapped, negative = without_signs(action, first=first, second=second)
    unsigned = combine(plain, y, x) if swapped else combine(plain, x, y)
    signed = combine(action, -x if first else x, -y if second else y)
    assert signed == (-unsigned if negative else unsigned)


@pytest.mark.parametrize(
    ("number", "text"), [(3, "3"), (Fraction(3, 4), "(3/4)"), (Fraction(6, 2), "3")]
)
def test_fractions_are_in_parentheses(number: int | Fraction, text: str) -> None:
    assert operand_text(number) == text
