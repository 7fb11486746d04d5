"""Printed durations and the bounds that they must satisfy: which one is used.

The oracle is written from the rule in docs/timed-plans.md, by another way than the validator: the
nearest point of an interval is the printed duration or an end of the interval.
"""

from __future__ import annotations

from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline import read_task
from pddl_pipeline.validation.task import Task

COMPARE: Final = {"=": eq, "<=": le, ">=": ge, "<": lt, ">": gt}
CLOSED: Final = {"<": le, ">": ge}
Bounds = list[tuple[str, Fraction]]
VALUES: Final = [Fraction(n, d) for n, d in ((1, 3), (2, 3), (1, 2500), (0, 1), (1, 2), (8, 7))]
"""Exact durations, some of which no decimal can express."""


def task_with(bounds: Bounds, moments: list[str]) -> Task:
    """Return a task whose cost is the duration that its only action uses."""
    constraints = " ".join(
        f"(at {moment} ({operator} ?duration (/ {value.numerator} {value.denominator})))"
        for (operator, value), moment in zip(bounds, moments, strict=True)
    )
    return read_task(
        f"""(define (domain d) (:requirements :durative-actions :duration-inequalities :fluents)
        (:predicates (p)) (:functions (f)) (:durative-action a :parameters ()
        :duration (and {constraints}) :condition (and)
        :effect (at end (increase (f) ?duration))))""",
        "(define (problem x) (:domain d) (:init (= (f) 0)) (:goal (and)) (:metric minimize (f)))",
    )


def used(printed: Fraction, bounds: Bounds) -> Fraction | None:
    """Return the duration that is used; None if the plan is invalid."""
    ends = [printed, *(value for _, value in bounds)]
    inside = [
        end for end in ends if all(CLOSED.get(op, COMPARE[op])(end, value) for op, value in bounds)
    ]
    nearest = min(inside, key=lambda end: abs(end - printed), default=None)
    if nearest is None or not all(COMPARE[op](nearest, value) for op, value in bounds):
        return None
    near = abs(nearest - printed) <= Fraction(5, 10**4) and printed > 0 and nearest > 0
    return nearest if near or nearest == printed else None


@given(st.data())
def test_the_nearest_allowed_duration_is_used_if_the_printed_one_is_at_most_half_a_thousandth_away(
    data: st.DataObject,
) -> None:
    value = data.draw(st.sampled_from(VALUES))
    near = st.sampled_from([Fraction(n, 10**4) for n in (-6, -5, -1, 0, 0, 0, 1, 5, 6)])
    bounds = data.draw(
        st.lists(st.tuples(st.sampled_from(list(COMPARE)), st.builds(value.__add__, near)),
                 min_size=1, max_size=3)
    )  # fmt: skip
    bounds = [(op, max(bound, Fraction(0))) for op, bound in bounds]
    moments = data.draw(st.lists(st.sampled_from(["start", "end"]), min_size=3, max_size=3))
    if any(operator in ("<", ">") for operator, _ in bounds):
        # A strict bound at the start fails before a bound at the end could fix the duration.
        moments = ["start"] * 3
    decimals = data.draw(st.integers(1, 17))
    text = data.draw(st.sampled_from([f"{float(value):.{decimals}f}", repr(float(value))]))
    if "e" in text:
        text = "0.0004"
    verdict = task_with(bounds, moments[: len(bounds)]).judge(f"0: (a) [{text}]")
    expected = used(Fraction(text), bounds)
    assert (verdict.cost, verdict.status == "valid") == (expected, expected is not None)
    if expected is not None:
        assert bool(verdict.notes) == (expected != Fraction(text))


@pytest.mark.parametrize(
    ("text", "exact"),
    [("0.333", "1/3"), ("0.3333333333333333", "1/3"), ("0.30000000000000004", "0.3"),
     ("1.1429", "8/7"), ("5", "5.0002"), ("0.5", "0.5005")],
)  # fmt: skip
def test_a_note_names_the_duration_that_is_used(text: str, exact: str) -> None:
    verdict = task_with([("=", Fraction(exact))], ["start"]).judge(f"0: (a) [{text}]")
    assert verdict.cost == Fraction(exact)
    assert verdict.notes == (f"step 1 (a): the duration {text} counts as {exact}",)
    assert verdict.makespan == Fraction(text)


def test_tolerance_rejects_nothing_that_exact_arithmetic_accepts() -> None:
    task = task_with([("=", Fraction(1, 3))], ["start"])
    exact, loose = (task.judge("0: (a) [0.3333]", tolerance=t) for t in (0, Fraction(1, 1000)))
    assert (loose.status, loose.cost) == (exact.status, exact.cost) == ("valid", Fraction(1, 3))
