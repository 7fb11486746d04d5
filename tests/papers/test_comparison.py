"""Tests of the verdict on a comparison: each kind of evidence, for and against, and undecided."""

from __future__ import annotations

from typing import get_args

import pytest

from pddl_pipeline.papers.comparison import (
    AllOf,
    Always,
    ClaimVerdict,
    Comparison,
    Evidence,
    Fact,
    Ordered,
    Quantity,
    Region,
    Same,
    SameDistribution,
    Unstated,
    comparison_table,
    decide,
    decision_text,
    share,
)
from pddl_pipeline.statistics.differences import (
    LEVEL,
    MeanSample,
    mean_difference,
    paired_difference,
    rank_difference,
    share_difference,
)

LOW, HIGH = tuple(map(float, range(8))), tuple(map(float, range(10, 18)))
HALF = share_difference(50, 100, 50, 100)
FIXED_MEAN = Same(mean_difference(MeanSample(10, 9, 9), MeanSample(12, 9, 50), is_fixed=True), 1)
DICE = dict.fromkeys(range(1, 7), 2000)


def shares(*counts: int) -> Same:
    return Same(share_difference(*counts), 0.1)


def region(paper: int, lowest: int, highest: int) -> Region:
    ends = (share_difference(paper, 1000, end, 1000) for end in (lowest, highest))
    return Region(*ends, 0.1)


# Evidence, verdict, and the size that would decide.
CASES: list[tuple[Evidence, ClaimVerdict, int | None]] = [
    (None, "not compared", None),
    (Fact(holds=True, n=3), "agrees", None),
    (Fact(holds=False, n=3), "differs", None),
    # 0.95 ** 59 = 0.0485 is the first below 0.05.
    (Always(59, 59, 0.05), "agrees", None),
    (Always(58, 58, 0.05), "undecided", 59),
    (Always(58, 59, 0.05), "differs", None),
    (Always(0, 0, 0.05), "not compared", None),
    (shares(30, 30, 100, 100), "not informative", None),
    (shares(0, 3000, 0, 1000), "not informative", None),
    (Ordered(share_difference(60, 60, 60, 60), 1, 0.1), "differs", None),
    (shares(500, 1000, 500, 1000), "agrees", None),
    # Three points apart, and 8,000 instances show it: that does not matter at a half, but at 0.1,
    # where 0.1 * 4 * 0.1 * 0.9 = 0.036 is the margin.
    (shares(4240, 8000, 4000, 8000), "agrees", None),
    (shares(1040, 8000, 800, 8000), "differs", None),
    (shares(810, 8000, 800, 8000), "agrees", None),
    (shares(20, 2000, 0, 2000), "differs", None),
    (shares(20, 30, 6, 30), "differs", None),
    # The audit's .09 against .20 of 30: the intervals overlap, which decides nothing.
    (shares(3, 30, 6, 30), "undecided", 586),
    (Same(HALF, 0.1), "undecided", 429),
    # 0.2476 / ((0.1 / 2.926)^2 - 0.25 / 1000) = 270; with 0.25 / 100, no size suffices.
    (Same(share_difference(55, 100, 500, 1000, is_fixed=True), 0.1), "undecided", 270),
    (Same(share_difference(50, 100, 50, 100, is_fixed=True), 0.1), "undecided", None),
    # No equality; the difference of 0.23: 0.2412 / ((0.2333 / 2.802)^2 - 0.1523 / 30) = 130.
    (Same(share_difference(12, 30, 5, 30, is_fixed=True), 0.1), "undecided", 130),
    (Ordered(share_difference(20, 30, 6, 30), 1, 0.1), "agrees", None),
    (Ordered(share_difference(20, 30, 6, 30), -1, 0.1), "differs", None),
    (Ordered(share_difference(500, 1000, 500, 1000), 1, 0.1), "differs", None),
    # The audit's 2 of 2 against 0 of 4: p = 1 / 15.
    (Ordered(share_difference(2, 2, 0, 4), 1, 0.1), "undecided", 4),
    (Ordered(paired_difference(8, 1, 30), 1, 0.1), "agrees", None),
    # t = 3 on 3 degrees of freedom: p = 0.058. By the normal distribution, 4 would suffice.
    (Ordered(mean_difference(MeanSample(3, 2, 4), MeanSample(0, 2, None)), 1, 0.1), "undecided", 5),
    (Ordered(paired_difference(4, 1, 30), 1, 0.1), "undecided", 165),
    (Same(paired_difference(0, 0, 60), 0.1), "agrees", None),
    (Same(paired_difference(0, 0, 10), 0.1), "undecided", 143),
    (Ordered(rank_difference(LOW, HIGH), -1, 0.1), "agrees", None),
    (Ordered(rank_difference(LOW, HIGH), 1, 0.1), "differs", None),
    (Ordered(rank_difference(LOW, LOW), -1, 0.1), "undecided", 131),
    (Same(mean_difference(MeanSample(10, 1, 50), MeanSample(10.1, 1, 50)), 1), "agrees", None),
    (Same(mean_difference(MeanSample(10, 1, 50), MeanSample(12, 1, 50)), 1), "differs", None),
    (Same(mean_difference(MeanSample(10, 9, 50), MeanSample(12, 9, 50)), 1), "undecided", 1388),
    (FIXED_MEAN, "undecided", None),
    (AllOf((FIXED_MEAN, Same(HALF, 0.1))), "undecided", None),
    (SameDistribution(DICE, DICE, 0.1), "agrees", None),
    (SameDistribution({1: 900, 2: 100}, {1: 500, 2: 500}, 0.1), "differs", None),
    (SameDistribution({1: 9, 2: 11}, {1: 10, 2: 10}, 0.1), "undecided", 738),
    (SameDistribution({1: 3}, {1: 3}, 0.1), "not compared", None),
    # A share inside a wide range fits as nearly any other would.
    (region(690, 0, 816), "not identifiable", None),
    (region(690, 660, 720), "agrees", None),
    (region(900, 0, 816), "differs", None),
    (region(820, 0, 816), "not identifiable", None),
    (Unstated(3), "not identifiable", None),
    (AllOf(()), "not compared", None),
    (AllOf((Fact(holds=True, n=1), shares(500, 1000, 500, 1000))), "agrees", None),
    (AllOf((Fact(holds=True, n=1), shares(30, 30, 100, 100))), "not informative", None),
    (AllOf((shares(3, 30, 6, 30), Fact(holds=True, n=1))), "undecided", 586),
    (AllOf((shares(3, 30, 6, 30), Fact(holds=False, n=1))), "differs", None),
    (AllOf((shares(3, 30, 6, 30), None)), "not compared", None),
    (AllOf((region(690, 0, 816), shares(3, 30, 6, 30))), "not identifiable", None),
]


@pytest.mark.parametrize(("evidence", "verdict", "needed"), CASES)
def test_verdicts(evidence: Evidence, verdict: ClaimVerdict, needed: int | None) -> None:
    found = decide(evidence)
    assert (found.verdict, found.needed) == (verdict, needed)
    assert found.is_final is (verdict == "undecided" and needed is None)


def test_every_verdict_is_reached() -> None:
    assert {verdict for _, verdict, _ in CASES} == set(get_args(ClaimVerdict))


def test_one_of_many_tests_must_be_stricter() -> None:
    """8 of 9 have p = 0.039, which is above 0.05 / 2."""
    one = Ordered(paired_difference(1, 8, 30), 1, 0.1)
    assert decide(one).verdict == "differs"
    assert decide(AllOf((one, Fact(holds=True, n=1)))).verdict == "undecided"


def test_a_decision_holds_the_numbers_that_it_follows_from() -> None:
    found = decide(Same(share_difference(3, 30, 6, 30), 0.1))
    assert (found.test, found.n) == ("Fisher's exact test", (30, 30))
    assert found.margin == pytest.approx(0.064)
    assert found.p == pytest.approx(0.472, abs=0.001)
    assert found.difference == pytest.approx(-0.1)
    assert (found.low, found.high) == pytest.approx((-0.286, 0.092), abs=0.01)
    assert decide(Fact(holds=True, n=1362)).n == (1362,)
    same, fixed = decide(shares(500, 1000, 500, 1000)), decide(FIXED_MEAN)
    assert decision_text(same).startswith(
        "two one-sided tests, Fisher's exact test, n=1000 and 1000"
    )
    assert decision_text(fixed).endswith("margin 1, cannot be decided by more of our runs")


def test_the_level_can_be_stricter() -> None:
    evidence = Ordered(paired_difference(8, 1, 30), 1, 0.1)  # p = 0.039
    assert decide(evidence, LEVEL).verdict == "agrees"
    assert decide(evidence, 0.01).verdict == "undecided"


def test_text_is_made_of_the_numbers() -> None:
    compared = Comparison(
        what="length", said="short", paper=(Quantity(13.5),),
        ours=(Quantity(12, "gripper", 11.25, 12.75), share(3, 5, "solved")), unit="steps",
        decision=decide(Same(share_difference(3, 30, 6, 30), 0.1)), remark="why", is_fit=True,
    )  # fmt: skip
    ((what, paper, ours, verdict, by, why),) = comparison_table([compared]).rows
    assert (what, paper, verdict) == ("length", "short; 13.50 steps", "undecided")
    assert ours == "gripper 12 (11.25 to 12.75) steps, solved 3 of 5 (23.1 to 88.2 %)"
    assert by.startswith("Fisher's exact test, n=30 and 30, p=0.47, difference -0.2")
    assert by.endswith("margin 0.06, n=586 would decide")
    assert why == "a fit; why"
