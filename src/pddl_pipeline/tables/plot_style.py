"""The style of plots: the same on every machine, and legible with colour blindness."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter, StrMethodFormatter

SHORTEST_S: Final = 0.001
"""Shortest time in plots: times are stored in milliseconds, and a logarithmic axis has no 0."""

# The palette of Okabe and Ito, without its yellow, which is pale on white.
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_MARKERS: Final = "os^vDPX<>*"
_LINES: Final = ("-", "--", "-.", ":")


class Look(NamedTuple):
    """The style of one series of a plot, distinguishable also in black and white."""

    color: str
    marker: str
    linestyle: str


def look(index: int) -> Look:
    """Return the look of the series with this 0-based index."""
    return Look(
        _COLOURS[index % len(_COLOURS)],
        _MARKERS[index % len(_MARKERS)],
        _LINES[index % len(_LINES)],
    )


def use_logarithms(axes: Axes, *names: Literal["x", "y"]) -> None:
    """Make axes logarithmic, with their powers of ten written out: 0.1, 1, 10."""
    for name in names:
        axes.set(**{f"{name}scale": "log"})
        axis = {"x": axes.xaxis, "y": axes.yaxis}[name]
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(NullFormatter())


@contextmanager
def own_settings() -> Iterator[None]:
    """Draw with this project's settings and matplotlib's defaults, ignoring the user's settings."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rc("svg", hashsalt="pddl-pipeline")  # names inside the file are random without it
        mpl.rc("text", parse_math=False)  # a `$` in a planner's name is a dollar
        mpl.rc("savefig", dpi=120)
        mpl.rc("axes", grid=True, axisbelow=True)
        mpl.rc("axes.spines", top=False, right=False)
        mpl.rc("grid", color="#e4e4e4")
        mpl.rc("legend", frameon=False)
        yield
