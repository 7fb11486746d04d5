"""What a study found, as plain data: it is printed, drawn, stored and read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pddl_pipeline.tables.text_table import TextTable


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a chart; an x that is a text is a category."""

    x: float | str
    y: float
    low: float | None = None
    """This and the following: the 95 % confidence interval, or the range, of y; None for none."""
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one kind."""

    name: str
    points: tuple[Point, ...]
    from_paper: bool = False
    """Whether they are the paper's own numbers."""


@dataclass(frozen=True, slots=True)
class Chart:
    """One panel of a picture. Where the first x is a text, the chart has a bar for each point."""

    title: str
    x_label: str
    """This and the following: what it is, with its unit and the number of samples."""
    y_label: str
    series: tuple[Series, ...]
    logarithmic: bool = False
    """Whether the y axis is."""
    bottom: float | None = None
    """This and the following: where the y axis ends, if that is not to be chosen."""
    top: float | None = None


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table, and what it shows."""

    caption: str
    table: TextTable


Result = Literal["matched", "differs", "not compared"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One number or statement of a paper beside ours."""

    what: str
    paper: str
    ours: str
    result: Result
    why: str = ""
    """Why they differ, or cannot be compared; also a condition of the match."""


@dataclass(frozen=True, slots=True)
class StudyResult:
    """What came of a study."""

    conditions: str
    """Samples, limits and data of this run, in a sentence or two."""
    comparisons: tuple[Comparison, ...]
    tables: tuple[NamedTable, ...]
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader has to know beside them."""
    unexplained: int = 0
    """How many runs crashed, were lost, or are disputed."""


def comparison_table(comparisons: Sequence[Comparison]) -> TextTable:
    """Return comparisons as a table; those that differ are marked."""
    return TextTable(
        headings=("what", "paper", "ours", "result", "why"),
        rows=tuple((c.what, c.paper, c.ours, c.result, c.why) for c in comparisons),
        names=5,
        marked=tuple(c.result == "differs" for c in comparisons),
    )
