"""A number or statement of a paper beside the reproduced one, and the verdict on the two.

One function decides all comparisons, by the kind of evidence. A sample shows equality if the
interval of two one-sided tests lies within the margin, which is stated beforehand; it shows a
difference if a test rejects equality. Equality within the margin comes first, since a large sample
also shows differences that do not matter. The margin of a share is smaller near 0 and 1. Whether
two confidence intervals overlap decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Union

from pddl_pipeline.model.text import counted
from pddl_pipeline.statistics.differences import (
    LEVEL,
    Difference,
    size_for_equality,
    size_for_order,
)
from pddl_pipeline.statistics.distributions import distance_bound, size_for_distance
from pddl_pipeline.statistics.intervals import Interval, wilson
from pddl_pipeline.statistics.significance import same_distribution
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range

Sign = Literal[1, -1]


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that follows without a sample: an exact count, or from the paper's own numbers."""

    holds: bool
    """Whether it is what the paper states."""
    n: int
    """The number of cases that were counted."""


@dataclass(frozen=True, slots=True)
class Always:
    """A statement that holds for every instance, checked on a sample."""

    count: int
    """The number of instances for which it holds."""
    number: int
    margin: float
    """The share of exceptions that a sample without exceptions must exclude."""


@dataclass(frozen=True, slots=True)
class Same:
    """The statement that two numbers are equal, up to a margin."""

    difference: Difference
    margin: float


@dataclass(frozen=True, slots=True)
class Ordered:
    """The statement that the first number is above the second, or below it."""

    difference: Difference
    sign: Sign
    """1 if the first number is stated to be above the second."""
    margin: float
    """A difference that would not matter."""


@dataclass(frozen=True, slots=True)
class SameDistribution:
    """The statement that two samples are of one distribution of numbers."""

    ours: Mapping[int, int]
    """The count of each number."""
    paper: Mapping[int, int]
    margin: float
    """The largest difference of cumulative shares that would not matter."""


@dataclass(frozen=True, slots=True)
class Region:
    """A published share beside the range that choices which the paper does not state allow."""

    lowest: Difference
    """The published share minus the lowest possible one."""
    highest: Difference
    """The published share minus the highest possible one."""
    margin: float
    """The largest range in which a share would show agreement."""


@dataclass(frozen=True, slots=True)
class Unstated:
    """A number that settings determine which the paper does not state."""

    n: int
    """The size of our sample."""


@dataclass(frozen=True, slots=True)
class AllOf:
    """Several pieces of evidence for a statement that holds only if all of them hold."""

    parts: tuple[Evidence, ...]


Evidence = Union[Fact, Always, Same, Ordered, SameDistribution, Region, Unstated, AllOf, None]
"""None if there is nothing to compare."""


def same(difference: Difference | None, margin: float) -> Evidence:
    """Return the evidence on equality; None without a difference to test."""
    return None if difference is None else Same(difference, margin)


def ordered(difference: Difference | None, sign: Sign, margin: float) -> Evidence:
    """Return the evidence on an order; None without a difference to test."""
    return None if difference is None else Ordered(difference, sign, margin)


ClaimVerdict = Literal[
    "agrees", "differs", "undecided", "not informative", "not identifiable", "not compared"
]


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict with the numbers that it follows from."""

    verdict: ClaimVerdict
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
    """If the verdict is ``undecided``, the size of each sample that would decide; if the paper's
    sample is fixed, the size of our sample."""
    is_final: bool = False
    """Whether no number of our runs would decide, since the paper's sample is too small."""


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
            return _decide_same(difference, scaled_margin(difference, margin), level)
        case Ordered():
            return _decide_order(evidence, level)
        case SameDistribution():
            return _decide_distribution(evidence, level)
        case Region():
            return _decide_region(evidence, level)
        case Unstated(n):
            return Decision("not identifiable", "range of what unstated settings allow", (n,))
        case AllOf(parts):
            return _decide_all(parts, level)
        case None:
            return NOT_COMPARED


def _decide_always(evidence: Always, level: float) -> Decision:
    """One exception refutes; without one, the exact binomial bound must exclude the margin."""
    count, number, margin = evidence.count, evidence.number, evidence.margin
    if not number:
        return NOT_COMPARED
    # So many cases without an exception exclude the margin: (1 - margin)^n is at most the level.
    least = math.ceil(math.log(level) / math.log1p(-margin))
    verdict: ClaimVerdict = "undecided"
    if count < number:
        verdict = "differs"
    elif number >= least:
        verdict = "agrees"
    needed = least if verdict == "undecided" else None
    return Decision(
        verdict, "exact binomial bound", (number,), margin=margin, needed=needed,
        difference=count / number - 1,
    )  # fmt: skip


_ALL_ALIKE: Final = ((0.0, 0.0), (1.0, 1.0))
"""Shares that are equal because all instances are too hard for both methods, or too easy."""


def scaled_margin(difference: Difference, margin: float) -> float:
    """Return the margin of a difference; of shares, in proportion to p (1 - p) of the second one.

    The given margin holds at p = 1/2. To first order, the same margin of the log odds holds at each
    p: a margin of 0.1 is 0.4, an odds ratio of 1.5.
    """
    if difference.shares is None:
        return margin
    p = difference.shares[1]
    return margin * 4 * p * (1 - p)


def _decide_same(difference: Difference, margin: float, level: float) -> Decision:
    if difference.shares in _ALL_ALIKE:
        return _decision(difference, "not informative", None, None, is_equal=False)
    verdict: ClaimVerdict = "undecided"
    if _is_within(difference, margin, level):
        verdict = "agrees"
    elif difference.p < level:
        verdict = "differs"
    needed = None
    if verdict == "undecided":
        # If a fixed sample is too small to show equality, it may still show a large difference.
        needed = size_for_equality(difference, margin) or size_for_order(difference, 0.0)
    return _decision(difference, verdict, margin, needed, is_equal=verdict == "agrees")


def _is_within(difference: Difference, margin: float, level: float) -> bool:
    """Return whether two one-sided tests show that the difference is within the margin."""
    # Both one-sided tests have the level, so that the interval leaves out twice of it.
    interval = difference.interval(1 - 2 * level)
    return interval is not None and -margin <= interval.low and interval.high <= margin


def _decide_order(evidence: Ordered, level: float) -> Decision:
    difference, margin = evidence.difference, evidence.margin
    # A difference that is shown counts, even if it is within the margin.
    is_equal = difference.p >= level and _is_within(difference, margin, level)
    verdict: ClaimVerdict = "differs" if is_equal else "undecided"
    if difference.p < level:
        verdict = "agrees" if difference.value * evidence.sign > 0 else "differs"
    needed = size_for_order(difference, margin) if verdict == "undecided" else None
    return _decision(difference, verdict, margin, needed, is_equal=is_equal)


def _decision(
    difference: Difference,
    verdict: ClaimVerdict,
    margin: float | None,
    needed: int | None,
    *,
    is_equal: bool,
) -> Decision:
    """Return a decision; equality is shown by two one-sided tests, and not by the test of p."""
    low, high = difference.interval(1 - LEVEL) or (None, None)
    return Decision(
        verdict, f"{'two one-sided tests, ' if is_equal else ''}{difference.test}", difference.n,
        difference.p, difference.value, low, high, margin,
        # The formulas of the sizes are of the normal distribution, and too small for small samples.
        needed and max(needed, min(difference.n) + 1),
        is_final=verdict == "undecided" and needed is None,
    )  # fmt: skip


def _decide_distribution(evidence: SameDistribution, level: float) -> Decision:
    ours, paper, margin = evidence.ours, evidence.paper, evidence.margin
    test = same_distribution(paper, ours)
    if test is None:
        return NOT_COMPARED
    distance, bound = distance_bound(ours, paper, 1 - level)
    verdict: ClaimVerdict = "undecided"
    # Only the bound of the distance shows equality: a large p may come from a small sample.
    if bound <= margin:
        verdict = "agrees"
    elif test.p < level:
        verdict = "differs"
    needed = size_for_distance(margin, 1 - level) if verdict == "undecided" else None
    return Decision(
        verdict,
        "bootstrap bound of the distance" if verdict == "agrees"
        else f"chi-square on {test.degrees} degrees of freedom",
        (sum(ours.values()), sum(paper.values())), test.p, distance, None, bound, margin, needed,
    )  # fmt: skip


def _decide_region(evidence: Region, level: float) -> Decision:
    """A share inside the range does not show agreement unless the range is narrow."""
    lowest, highest = evidence.lowest, evidence.highest
    # Both are differences to the published share, which cancels.
    width = lowest.value - highest.value
    # Below the lowest possible share, or above the highest.
    outside = lowest if lowest.value < 0 else highest if highest.value > 0 else None
    verdict: ClaimVerdict = "agrees" if width <= evidence.margin else "not identifiable"
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
    # All must agree, so agreement needs no correction; one that differs is enough, so that does.
    strict = [decide(part, level / len(parts)) for part in parts]
    refuting = [each for each in strict if each.verdict == "differs"]
    if refuting:
        return _of_several(min(refuting, key=lambda each: each.p or 0.0), len(parts))
    # None refutes the statement, so one part without a verdict leaves it open.
    for verdict in ("not compared", "not identifiable", "not informative"):
        if any(each.verdict == verdict for each in found):
            return next(each for each in found if each.verdict == verdict)
    if all(each.verdict == "agrees" for each in found):
        # The reader sees the part with the weakest evidence.
        weakest = max(found, key=lambda each: (each.p or 0.0, abs(each.difference or 0.0)))
        return _of_several(weakest, len(parts))
    # A part that differs, but not at the stricter level, leaves the statement open.
    open_ = [each for each in found if each.verdict != "agrees"]
    weakest = max(open_, key=lambda each: math.inf if each.is_final else each.needed or 0)
    return _of_several(replace(weakest, verdict="undecided"), len(parts))


def _of_several(decision: Decision, number: int) -> Decision:
    return replace(decision, test=f"{decision.test}, the decisive one of {number}")


_LEAST_P: Final = 1e-9
"""Smaller p are not printed."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, with its interval and its sample if it has them."""

    value: float | None
    """None if it is not known."""
    label: str = ""
    """The name of the number, if a comparison has several."""
    low: float | None = None
    """`low` and `high`: the 95 % confidence interval, or the range between samples."""
    high: float | None = None
    of: int | None = None
    """The number of cases, for a share; `value` of them have the property."""

    @property
    def share(self) -> float | None:
        """The value, divided by the number of cases if it is a share; None if it is not known."""
        if self.value is None or self.of is None:
            return self.value
        return self.value / self.of if self.of else None


def share(count: int, of: int, label: str = "") -> Quantity:
    """Return the number of cases with a property, with Wilson's 95 % interval of its share."""
    low, high = wilson(count, of) if of else (None, None)
    return Quantity(count, label, low, high, of)


def with_interval(value: float | None, interval: Interval | None, label: str = "") -> Quantity:
    """Return an estimated number with its interval, if there is one."""
    return Quantity(value, label, *(interval or (None, None)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A number or statement of a paper beside the reproduced one."""

    what: str
    said: str = ""
    """The paper's statement, if it is more than a number."""
    paper: tuple[Quantity, ...] = ()
    ours: tuple[Quantity, ...] = ()
    decision: Decision = NOT_COMPARED
    """The verdict, by `decide`, with the numbers that it follows from."""
    unit: str = ""
    remark: str = ""
    """Why the two differ or cannot be compared, or a condition of the verdict."""
    is_fit: bool = False
    """Whether the reading was chosen after the data were seen, so that agreement is expected."""

    @property
    def verdict(self) -> ClaimVerdict:
        """The verdict."""
        return self.decision.verdict

    @property
    def paper_text(self) -> str:
        """The paper's side in words and numbers."""
        return "; ".join(filter(None, (self.said, _text(self.paper, self.unit)))) or NO_NUMBER

    @property
    def our_text(self) -> str:
        """The reproduced side in words and numbers."""
        return _text(self.ours, self.unit) or NO_NUMBER

    @property
    def remarks(self) -> str:
        """The remark, which begins with the word for a fit if the comparison is one."""
        return "; ".join(filter(None, ("a fit" if self.is_fit else "", self.remark)))


def withdrawn(comparison: Comparison, why: str) -> Comparison:
    """Return a comparison without a verdict and with the reason; its test remains."""
    decision = replace(comparison.decision, verdict="not compared", needed=None, is_final=False)
    remark = "; ".join(filter(None, (comparison.remark, why)))
    return replace(comparison, decision=decision, remark=remark)


def checked(comparison: Comparison) -> Comparison:
    """Withdraw the verdict of a check that is no claim of the paper; a failure remains."""
    if comparison.verdict == "differs":
        return comparison
    return withdrawn(comparison, "a check by this project, no claim of the paper")


def within_limit(
    comparison: Comparison, cut: int, ours_s: float, paper_s: float, also: str = ""
) -> Comparison:
    """Withdraw a verdict that the paper's time limit would change, and remark the limit.

    The one rule for limits: a number is not compared if some of its runs reached a shorter limit.
    The test of the runs as they are remains.

    Args:
        comparison: the comparison.
        cut: the number of runs behind our number that reached the time limit.
        ours_s: our time limit, in seconds.
        paper_s: the paper's.
        also: a further limit that these runs may have reached, after the time.
    """
    # With at least the paper's time, a run that was cut here would have been cut there, too.
    if not cut or ours_s >= paper_s or comparison.verdict == "not identifiable":
        return comparison
    reached = f"{counted(cut, 'run')} reached {ours_s:g} s{also}"
    return withdrawn(comparison, f"{reached}; the paper's limit is {paper_s:g} s")


def comparison_table(comparisons: Sequence[Comparison]) -> TextTable:
    """Return comparisons as a table; those that differ are marked."""
    return TextTable(
        headings=("what", "paper", "ours", "verdict", "by", "why"),
        rows=tuple(
            (c.what, c.paper_text, c.our_text, c.verdict, decision_text(c.decision), c.remarks)
            for c in comparisons
        ),
        names=6,
        marked=tuple(c.verdict == "differs" for c in comparisons),
    )


def decision_text(decision: Decision) -> str:
    """Return the test of a decision with its numbers, as papers write them."""
    return ", ".join(_decision_parts(decision)) or NO_NUMBER


def _decision_parts(decision: Decision) -> Iterator[str]:
    if decision.test:
        yield decision.test
    if decision.n:
        yield f"n={' and '.join(map(str, decision.n))}"
    if decision.p is not None:
        yield p_text(decision.p)
    if decision.low is not None and decision.high is not None:
        yield f"difference {_number(decision.low)} to {_number(decision.high)}"
    if decision.margin is not None:
        yield f"margin {_number(decision.margin)}"
    if needed := needed_text(decision):
        yield needed


def p_text(p: float) -> str:
    """Return a p with two digits."""
    return f"p<{_LEAST_P:g}" if p < _LEAST_P else f"p={p:.2g}"


def needed_text(decision: Decision) -> str:
    """Return which sample would decide; empty unless the verdict is ``undecided``."""
    if decision.is_final:
        return "cannot be decided by more of our runs"
    return "" if decision.needed is None else f"n={decision.needed:,} would decide"


def _text(quantities: Sequence[Quantity], unit: str) -> str:
    return ", ".join(quantity_text(quantity, unit) for quantity in quantities)


def quantity_text(quantity: Quantity, unit: str = "") -> str:
    """Return a quantity with its label, interval and unit."""
    label = f"{quantity.label} " if quantity.label else ""
    if quantity.of is not None:
        return label + _share_text(quantity)
    ends = [_number(end) for end in (quantity.low, quantity.high) if end is not None]
    interval = f" ({' to '.join(ends)})" if ends else ""
    return f"{label}{_number(quantity.value)}{interval}{f' {unit}' if unit else ''}"


def _share_text(quantity: Quantity) -> str:
    text = f"{_number(quantity.value)} of {quantity.of}"
    if quantity.low is None or quantity.high is None:
        return text
    return f"{text} ({percent_range((quantity.low, quantity.high))} %)"


def _number(value: float | None) -> str:
    """Return a number with two decimals, or two digits if it is small, or as a whole number."""
    if value is None:
        return NO_NUMBER
    if value == int(value):
        return str(int(value))
    return f"{value:.2f}" if abs(value) >= 0.01 else f"{value:.2g}"
