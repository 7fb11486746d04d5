"""The style of plots: the same on every machine, and legible with colour blindness.

Requires matplotlib, which is an extra, and so do the modules that import this one.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import nan
from typing import Any, Final, Literal, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter, LogLocator

SHORTEST_S: Final = 0.001
"""Shortest time in plots: times are stored in milliseconds, and a logarithmic axis has no 0."""

GREY: Final = "#777777"
"""The colour of lines that are not data, such as limits."""
PRINT_DPI: Final = 300
"""Dots per inch of pictures for papers."""

# By file format: the metadata that would differ when the plot is drawn again.
_NOT_WRITTEN: Final = {
    "png": ("Software",),
    "pdf": ("CreationDate", "Creator", "Producer"),
    "svg": ("Date", "Creator", "Format", "Type"),
}

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


class _PlainLogFormatter(LogFormatter):
    """Labels the ticks that matplotlib chooses, without exponents."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label of a tick; see `LogFormatter`."""
        return f"{x:,.10g}" if super().__call__(x, pos) else ""


def use_logarithms(axes: Axes, *names: Literal["x", "y"]) -> None:
    """Make axes logarithmic, with ticks at round numbers, written out: 0.1, 1, 1,000."""
    for name in names:
        axes.set(**{f"{name}scale": "log"})
        axis = {"x": axes.xaxis, "y": axes.yaxis}[name]
        axis.set_major_formatter(_PlainLogFormatter())
        axis.set_minor_locator(LogLocator(subs=(2, 5)))
        axis.set_minor_formatter(_PlainLogFormatter(minor_thresholds=(1.9, 1.9)))


def draw_intervals(
    axes: Axes,
    x: Sequence[float],
    y: Sequence[float],
    reach: Sequence[Sequence[float]] | None,
    **style: Any,
) -> None:
    """Draw a line, with bars that reach this far below and above each point.

    Markers at the limits of the axes are drawn whole.
    """
    drawn = axes.errorbar(
        x, y, yerr=reach, capsize=2, markersize=4, linewidth=1.2, elinewidth=0.9, **style
    )
    for part in drawn.get_children():
        part.set_clip_on(False)


def panels(count: int, columns: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """Return a figure of this width and height in inches, and its panels in rows."""
    figure = Figure(figsize=(width, height), layout="constrained")
    lines = -(-count // columns)
    return figure, [figure.add_subplot(lines, columns, place) for place in range(1, count + 1)]


def reaches(
    points: Iterable[tuple[float, float | None, float | None]],
) -> list[tuple[float, ...]]:
    """Return how far the intervals reach below each point, and above each.

    Args:
        points: the value of each point, and the ends of its interval; None if it has none.
    """
    ends = [
        # A point without an interval has no whiskers, not those of length 0.
        (nan, nan)
        if low is None or high is None or low == high
        else (max(0.0, value - low), max(0.0, high - value))
        for value, low, high in points
    ]
    return list(zip(*ends, strict=True))


def picture(figure: Figure, form: str, dpi: int | None = None) -> bytes:
    """Return the content of a picture file; equal figures result in equal bytes.

    Args:
        figure: the figure, made in a context of `own_settings`; call this there, too.
        form: the file format, such as ``svg``.
        dpi: dots per inch; if None, those of `own_settings`.
    """
    stream = io.BytesIO()
    figure.savefig(stream, format=form, dpi=dpi, metadata=dict.fromkeys(_NOT_WRITTEN[form]))
    return stream.getvalue()


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
