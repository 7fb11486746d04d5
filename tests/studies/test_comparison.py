"""Tests of the verdict on a comparison: each rule on numbers that meet it and that do not."""

from __future__ import annotations

import pytest

from pddl_pipeline.statistics.significance import Significance
from pddl_pipeline.studies.comparison import Comparison, Quantity, Rule, comparison_table, share

Numbers = tuple[Quantity, ...]


def numbers(*values: float | None) -> Numbers:
    return tuple(map(Quantity, values))


def between(low: float, high: float) -> Numbers:
    return (Quantity((low + high) / 2, low=low, high=high),)


ONE = numbers(1)
# Rule, paper's numbers, ours that match, ours that differ.
CASES: list[tuple[Rule, Numbers, Numbers, Numbers]] = [
    (Rule.EQUAL, numbers(1, 2), numbers(1.1, 1.9), numbers(1.1, 2.2)),
    (Rule.EQUAL, ONE, (share(5, 5),), (share(4, 5),)),
    (Rule.INSIDE, numbers(3), between(2, 3), between(3.5, 4)),
    (Rule.OVERLAP, between(1, 2), between(2, 3), between(2.5, 3)),
    (Rule.ALL, (), (share(3, 3), *numbers(7)), (share(3, 3), share(2, 3))),
    (Rule.SAME, (), numbers(4, 4, 4), numbers(4, 4, 5)),
    (Rule.RISES, (), numbers(1, 0, 2), numbers(1, 2, 1.05)),
    (Rule.FALLS, (), (share(3, 4), share(1, 4)), numbers(1, 0.95)),
    (Rule.LARGEST, (), numbers(2, 1, 0), numbers(2, 1, 2)),
    (Rule.AT_LEAST, (), numbers(2, 1, 2), numbers(2, 3)),
    (Rule.AT_MOST, (), numbers(2, 2, 3), numbers(2, 1)),
    (Rule.DESCENDING, (), numbers(2, 2, 1), numbers(2, 1, 2)),
    (Rule.BELOW, ONE, (share(9, 10),), (share(10, 10),)),
]


@pytest.mark.parametrize(("rule", "paper", "matching", "differing"), CASES)
def test_verdicts(rule: Rule, paper: Numbers, matching: Numbers, differing: Numbers) -> None:
    results = [
        Comparison(what="", paper=paper, ours=ours, rule=rule, margin=0.11).result
        for ours in (matching, differing)
    ]
    assert results == ["matched", "differs"]


@pytest.mark.parametrize(
    ("rule", "p", "result"),
    [
        (Rule.NOT_REJECTED, 0.06, "matched"), (Rule.NOT_REJECTED, 0.04, "differs"),
        (Rule.SIGNIFICANT, 0.06, "differs"), (Rule.SIGNIFICANT, 0.04, "matched"),
    ],
)  # fmt: skip
def test_verdicts_by_a_test(rule: Rule, p: float, result: str) -> None:
    assert Comparison(what="", rule=rule, test=Significance("rank sum", p, 1)).result == result
    assert Comparison(what="", rule=rule, test=Significance("", p, 1), level=0.05).result == result


def test_every_rule_is_tested() -> None:
    tested = {case[0] for case in CASES}
    assert tested | {Rule.NOT_REJECTED, Rule.SIGNIFICANT, Rule.NONE} == set(Rule)


@pytest.mark.parametrize("rule", Rule)
def test_without_numbers_nothing_is_compared(rule: Rule) -> None:
    assert Comparison(what="", rule=rule).result == "not compared"
    unknown = Comparison(what="", paper=ONE, ours=(Quantity(None), share(0, 0)), rule=rule)
    assert unknown.result == "not compared"


def test_a_cell_that_the_paper_leaves_open_cannot_be_outside() -> None:
    paper, ours = numbers(None, 3), (*between(0, 1), *between(2, 4))
    assert Comparison(what="", paper=paper, ours=ours, rule=Rule.INSIDE).result == "matched"


def test_text_is_made_of_the_numbers() -> None:
    compared = Comparison(
        what="length", said="short", paper=(Quantity(13.5),),
        ours=(Quantity(12, "gripper", 11.25, 12.75), share(3, 5, "solved")),
        rule=Rule.INSIDE, unit="steps", test=Significance("chi-square", 0.5, 1.386, 2),
        remark="why",
    )  # fmt: skip
    ((what, paper, ours, result, why),) = comparison_table([compared]).rows
    assert (what, paper, result, why) == ("length", "short; 13.50 steps", "differs", "why")
    assert ours == (
        "gripper 12 (11.25 to 12.75) steps, solved 3 of 5 (23.1 to 88.2 %); "
        "chi-square 1.39 on 2 degrees of freedom, p=0.5"
    )
