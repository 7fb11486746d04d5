"""A number or statement of a paper beside the reproduced one, and the verdict on the two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pddl_pipeline.papers.decision import NOT_COMPARED, Decision, Verdict
from pddl_pipeline.statistics.intervals import Interval, wilson
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range

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


def estimate(value: float | None, interval: Interval | None, label: str = "") -> Quantity:
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
    def verdict(self) -> Verdict:
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
        yield f"p<{_LEAST_P:g}" if decision.p < _LEAST_P else f"p={decision.p:.2g}"
    if decision.low is not None and decision.high is not None:
        yield f"difference {_number(decision.low)} to {_number(decision.high)}"
    if decision.margin is not None:
        yield f"margin {_number(decision.margin)}"
    if decision.needed is not None:
        yield f"n={decision.needed} would decide"


def _text(quantities: Sequence[Quantity], unit: str) -> str:
    return ", ".join(quantity_text(each, unit) for each in quantities)


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
