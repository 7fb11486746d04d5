"""The result of a study as plain data, which is printed, drawn, stored and read again."""

from __future__ import annotations

from dataclasses import dataclass

from pddl_pipeline.papers.comparison import Comparison
from pddl_pipeline.tables.named_table import NamedTable

# NamedTable is a part of a result, which studies import from here.
__all__ = ["Chart", "NamedTable", "Point", "Series", "StudyResult"]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a chart; an `x` of type str is a category."""

    x: float | str
    y: float
    low: float | None = None
    """`low` and `high`: the 95 % confidence interval or the range of y; None if there is none."""
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one line or one colour of bars."""

    name: str
    points: tuple[Point, ...]
    from_paper: bool = False
    """Whether the paper published the points."""
    faint: bool = False
    """Whether the bars are light grey, since they stand for what is missing."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A panel of a picture. If an `x` is a category, the chart has a bar for each point."""

    title: str
    x_label: str
    """`x_label` and `y_label`: the quantity, with its unit and the number of samples."""
    y_label: str
    series: tuple[Series, ...]
    logarithmic: bool = False
    """Whether the y axis is logarithmic."""
    stacked: bool = False
    """Whether the bars of a category stand on each other."""
    bottom: float | None = None
    """`bottom` and `top`: the limits of the y axis; None to choose them automatically."""
    top: float | None = None
    sizes: tuple[int, ...] = ()
    """The values of x that may have a tick, if series are shifted from them."""


@dataclass(frozen=True, slots=True)
class StudyResult:
    """The result of a study."""

    conditions: str
    """The samples, limits and data of this run, in one or two sentences."""
    comparisons: tuple[Comparison, ...]
    tables: tuple[NamedTable, ...]
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
    """Remarks that a reader needs to interpret the numbers."""
    unexplained: int = 0
    """The number of runs that crashed, were lost or are disputed."""
