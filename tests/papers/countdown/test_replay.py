"""Tests of claimed plans under exact arithmetic."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from store_results import RESULT

from pddl_pipeline.model.number import Number
from pddl_pipeline.papers.countdown.datasets import Replay, magnitude, replay
from pddl_pipeline.translators.records import from_record


def replayed(numbers: list[int], plan: str) -> Replay:
    record = {"id": "a", "domain": "countdown", "numbers": numbers, "target": 0}
    steps = tuple(f"({step}" for step in plan.split("(")[1:])
    return replay(from_record(record), replace(RESULT, plan=steps))


@pytest.mark.parametrize(
    ("numbers", "plan", "last", "zeros"),
    [
        ([3, 3, 8, 8], "(divide n3 n1)(subtract n2 n3)(divide n4 n2)(checkgoal n4)", 24, 0),
        ([1, 97], "(divide n1 n2)(checkgoal n1)", Fraction(1, 97), 0),
        # A 0 of the last operation does not count as a zero on the way.
        ([5, 5], "(subtract n1 n2)(checkgoal n1)", 0, 0),
        ([5, 5, 7], "(subtract n1 n2)(multiply n3 n1)(checkgoal n3)", 0, 1),
        ([5, 5, 7, 9], "(subtract n1 n2)(multiply n1 n3)(add n4 n1)(checkgoal n4)", 9, 1),
        # An inapplicable step: several numbers are left.
        ([1, 5, 7], "(subtract n1 n2)(add n3 n1)(checkgoal n3)", None, 0),
    ],
)
def test_plans_are_played_as_far_as_they_go(
    numbers: list[int], plan: str, last: Number | None, zeros: int
) -> None:
    assert replayed(numbers, plan) == (last, zeros)


def test_the_miss_is_exact() -> None:
    done = replayed([1, 97, 89, 83], "(divide n1 n2)(divide n1 n3)(divide n1 n4)(checkgoal n1)")
    assert done.miss(0) == Fraction(1, 716539)
    assert done.miss(1) == Fraction(716538, 716539)
    assert Replay(None, 0).miss(1) is None


def test_stamps_of_engines_are_read() -> None:
    record = {"id": "a", "domain": "countdown", "numbers": [5, 2], "target": 0}
    run = replace(RESULT, plan=("0.0: (add n1 n2)", "1.0: (checkgoal n1)"))
    assert replay(from_record(record), run).last == 7


@pytest.mark.parametrize(
    ("number", "text"),
    [(Fraction(1, 716539), "1.40e-6"), (Fraction(1, 3**1000), "7.56e-478"), (10**30, "1.00e+30")],
)
def test_magnitudes_of_any_size(number: Number, text: str) -> None:
    assert magnitude(number) == text
