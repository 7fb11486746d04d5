"""The verdict on a comparison. One function decides all of them, by the kind of evidence.

A sample shows equality if the interval of two one-sided tests lies within the margin, which is
stated beforehand; it shows a difference if a test rejects equality. Equality within the margin
comes first, since a large sample also shows differences that do not matter. Whether two confidence
intervals overlap decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from pddl_pipeline.papers.evidence import (
    AllOf,
    Always,
    Evidence,
    Fact,
    Ordered,
    Region,
    Same,
    SameDistribution,
)
from pddl_pipeline.statistics.difference import LEVEL, Difference, size_for_equality, size_for_order
from pddl_pipeline.statistics.distributions import distance_bound, size_for_distance
from pddl_pipeline.statistics.significance import same_distribution

Verdict = Literal["agrees", "differs", "undecided", "not identifiable", "not compared"]
VERDICTS: Final[Sequence[Verdict]] = (
    "agrees", "differs", "undecided", "not identifiable", "not compared",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict with the numbers that it follows from."""

    verdict: Verdict
    test: str = ""
    """The name of the test; ``exact`` if no sample is involved."""
    n: tuple[int, ...] = ()
    """The sizes of our sample and of the paper's; a single size for pairs or for one sample."""
    p: float | None = None
    """The p of the hypothesis that there is no difference, two-sided."""
    difference: float | None = None
    low: float | None = None
    """`low` and `high`: the 95 % confidence interval of the difference."""
    high: float | None = None
    margin: float | None = None
    needed: int | None = None
    """The size of each sample that would decide, if the verdict is ``undecided``."""


NOT_COMPARED: Final = Decision("not compared")


def decide(evidence: Evidence, level: float = LEVEL) -> Decision:
    """Return the verdict that follows from evidence.

    Args:
        evidence: the evidence, or None if there is nothing to compare.
        level: the level of significance of each test.
    """
    match evidence:
        case Fact(holds, n):
            return Decision("agrees" if holds else "differs", "exact", (n,))
        case Always():
            return _decide_always(evidence, level)
        case Same(difference, margin):
            return _decide_same(difference, margin, level)
        case Ordered():
            return _decide_order(evidence, level)
        case SameDistribution():
            return _decide_distribution(evidence, level)
        case Region():
            return _decide_region(evidence, level)
        case AllOf(parts):
            return _decide_all(parts, level)
        case None:
            return NOT_COMPARED


def _decide_always(evidence: Always, level: float) -> Decision:
    """One exception refutes; without one, the exact binomial bound must exclude the margin."""
    count, number, margin = evidence.count, evidence.number, evidence.margin
    if not number:
        return NOT_COMPARED
    least = math.ceil(math.log(level) / math.log1p(-margin))
    verdict: Verdict = "undecided"
    if count < number:
        verdict = "differs"
    elif number >= least:
        verdict = "agrees"
    needed = least if verdict == "undecided" else None
    return Decision(
        verdict, "exact binomial bound", (number,), margin=margin, needed=needed,
        difference=count / number - 1,
    )  # fmt: skip


def _decide_same(difference: Difference, margin: float, level: float) -> Decision:
    verdict: Verdict = "undecided"
    if _is_within(difference, margin, level):
        verdict = "agrees"
    elif difference.p < level:
        verdict = "differs"
    needed = size_for_equality(difference, margin) if verdict == "undecided" else None
    return _decision(difference, verdict, margin, needed)


def _is_within(difference: Difference, margin: float, level: float) -> bool:
    """Return whether two one-sided tests show that the difference is within the margin."""
    interval = difference.interval(1 - 2 * level)
    return interval is not None and -margin <= interval.low and interval.high <= margin


def _decide_order(evidence: Ordered, level: float) -> Decision:
    difference, margin = evidence.difference, evidence.margin
    verdict: Verdict = "undecided"
    if difference.p < level:
        verdict = "agrees" if difference.value * evidence.sign > 0 else "differs"
    elif _is_within(difference, margin, level):
        verdict = "differs"
    needed = size_for_order(difference, margin) if verdict == "undecided" else None
    return _decision(difference, verdict, margin, needed)


def _decision(
    difference: Difference, verdict: Verdict, margin: float, needed: int | None
) -> Decision:
    low, high = difference.interval(1 - LEVEL) or (None, None)
    return Decision(
        verdict, difference.test, difference.n, difference.p, difference.value, low, high, margin,
        needed,
    )  # fmt: skip


def _decide_distribution(evidence: SameDistribution, level: float) -> Decision:
    ours, paper, margin = evidence.ours, evidence.paper, evidence.margin
    test = same_distribution(paper, ours)
    if test is None:
        return NOT_COMPARED
    distance, bound = distance_bound(ours, paper, 1 - level)
    verdict: Verdict = "undecided"
    if bound <= margin:
        verdict = "agrees"
    elif test.p < level:
        verdict = "differs"
    needed = size_for_distance(margin, 1 - level) if verdict == "undecided" else None
    return Decision(
        verdict, f"chi-square on {test.degrees} degrees of freedom",
        (sum(ours.values()), sum(paper.values())), test.p, distance, None, bound, margin, needed,
    )  # fmt: skip


def _decide_region(evidence: Region, level: float) -> Decision:
    """A share inside the range does not show agreement unless the range is narrow."""
    lowest, highest = evidence.lowest, evidence.highest
    width = lowest.value - highest.value
    outside = lowest if lowest.value < 0 else highest if highest.value > 0 else None
    verdict: Verdict = "agrees" if width <= evidence.margin else "not identifiable"
    p = None
    if outside is not None:
        p = outside.p
        verdict = "differs" if p < level else verdict
    return Decision(
        verdict, "range of what is possible, Fisher's exact test at its ends", lowest.n, p,
        0.0 if outside is None else outside.value, margin=evidence.margin,
    )  # fmt: skip


def _decide_all(parts: Sequence[Evidence], level: float) -> Decision:
    """All parts must agree; one that differs, at the level by Bonferroni, refutes the statement."""
    if not parts:
        return NOT_COMPARED
    found = [decide(part, level) for part in parts]
    strict = [decide(part, level / len(parts)) for part in parts]
    refuting = [each for each in strict if each.verdict == "differs"]
    if refuting:
        return _of_several(min(refuting, key=_least_p), len(parts))
    for verdict in ("not compared", "not identifiable"):
        if any(each.verdict == verdict for each in found):
            return next(each for each in found if each.verdict == verdict)
    if all(each.verdict == "agrees" for each in found):
        weakest = max(found, key=lambda each: (each.p or 0.0, abs(each.difference or 0.0)))
        return _of_several(weakest, len(parts))
    # A part that differs, but not at the stricter level, leaves the statement open.
    open_ = [each for each in found if each.verdict != "agrees"]
    weakest = max(open_, key=lambda each: each.needed or 0)
    return _of_several(replace(weakest, verdict="undecided"), len(parts))


def _least_p(decision: Decision) -> float:
    return 0.0 if decision.p is None else decision.p


def _of_several(decision: Decision, number: int) -> Decision:
    return replace(decision, test=f"{decision.test}, the decisive one of {number}")
