"""Heat maps of shares: a panel each, with the same rows, and the numbers in the cells.

The colour is one hue from light to dark and repeats the number, so that it is legible with colour
blindness and in black and white. Requires matplotlib, as `plot_style`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import fill
from typing import Final, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from pddl_pipeline.tables.plot_style import GREY, panel_grid, short_names

_CELL: Final = (0.42, 0.24)
_TITLE: Final = 0.45
_GAP: Final = 0.3
_LETTER: Final = 0.065
"""In inches, as are the sizes above: the width and height of a cell, the height above a panel, the
distance between panels, and the width of a letter."""
_FONT: Final = 7
_SMALL_FONT: Final = 6
_LEAST_COLUMNS: Final = 5
"""A panel is at least as wide as this many cells, so that its title has room."""
_FLAT_LABEL: Final = 4
"""Longer labels of columns stand upright."""
_FEW_COLOUR: Final = "#ececec"
_DARK: Final = 0.55


class HeatCell(NamedTuple):
    """A cell of a heat map."""

    share: float
    """From 0 to 1."""
    is_few: bool = False
    """Whether it is of so few instances that it has a mark instead of a colour."""


@dataclass(frozen=True, slots=True)
class HeatPanel:
    """A panel of a heat map."""

    title: str
    columns: Sequence[str]
    cells: Mapping[tuple[int, str], HeatCell]
    """By index of the row and name of the column; others are blank."""
    groups: Sequence[str] = ()
    """The group of each column, printed above neighbours of one group; empty without groups."""


def heat_map(
    panels: Sequence[HeatPanel], rows: Sequence[str], caption: str, most: float | None = None
) -> Figure:
    """Return the figure; call this in a context of `own_settings`.

    Args:
        panels: one or more panels.
        rows: the names of the rows, from top to bottom; all panels have them.
        caption: the text below all panels.
        most: the share with the darkest colour; the largest one if None.
    """
    labels = short_names(rows)
    left = _LETTER * max(map(len, labels)) + _GAP
    cells = max(_LEAST_COLUMNS, *(len(panel.columns) for panel in panels))
    width = _CELL[0] * cells + _GAP
    height = _CELL[1] * len(rows) + _TITLE + max(map(_label_height, panels))
    grid = panel_grid(len(panels), width, height, left)
    size = (left + grid.columns * width, grid.rows * height + _TITLE)
    figure = Figure(figsize=size, layout="constrained")
    figure.get_layout_engine().set(w_pad=_GAP / 4, wspace=0)  # type: ignore[union-attr, call-arg]
    axes = figure.subplots(grid.rows, grid.columns, squeeze=False)
    shares = (cell.share for panel in panels for cell in panel.cells.values())
    darkest = most or max(shares, default=0) or 1
    for index, place in enumerate(axes.flat):
        if index < len(panels):
            _draw(place, panels[index], len(rows), cells, darkest)
            _label_rows(place, labels if index % grid.columns == 0 else [], len(rows))
        else:
            place.set_axis_off()
    figure.supxlabel(fill(caption, int(size[0] / _LETTER)), fontsize=_FONT)
    return figure


def _label_height(panel: HeatPanel) -> float:
    longest = max(map(len, panel.columns), default=0)
    return _LETTER * (longest if longest > _FLAT_LABEL else 3)


def _draw(axes: Axes, panel: HeatPanel, rows: int, cells: int, most: float) -> None:
    axes.set_title(panel.title, fontsize=_FONT + 2, pad=14 if panel.groups else 6, loc="left")
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=_FONT)
    upright = any(len(column) > _FLAT_LABEL for column in panel.columns)
    middles = [index + 0.5 for index in range(len(panel.columns))]
    axes.set_xticks(middles, panel.columns, rotation=90 if upright else 0)
    colours = np.ones((rows, len(panel.columns), 4))
    for y in range(rows):
        for x, column in enumerate(panel.columns):
            cell = panel.cells.get((y, column))
            if cell is not None:
                colours[y, x] = _colour(cell, most)
                _write_number(axes, x, y, cell, most)
    axes.pcolormesh(colours)
    axes.set(xlim=(0, cells), ylim=(rows, 0))
    _draw_groups(axes, panel)


def _colour(cell: HeatCell, most: float) -> tuple[float, float, float, float]:
    if cell.is_few:
        return to_rgba(_FEW_COLOUR)
    return mpl.colormaps["Blues"](cell.share / most)


def _write_number(axes: Axes, x: int, y: int, cell: HeatCell, most: float) -> None:
    is_dark = cell.share > _DARK * most and not cell.is_few
    text = axes.text(
        x + 0.5, y + 0.5, f"{100 * cell.share:.0f}{'*' if cell.is_few else ''}",
        ha="center", va="center", fontsize=_FONT, color="white" if is_dark else "black",
    )  # fmt: skip
    text.set_in_layout(False)  # the layout of hundreds of texts takes seconds


def _draw_groups(axes: Axes, panel: HeatPanel) -> None:
    """Name the groups of columns, with a line between two of them."""
    start = 0
    for group, members in groupby(panel.groups):
        end = start + len(list(members))
        axes.annotate(
            group, ((start + end) / 2, 0), (0, 2), textcoords="offset points",
            ha="center", va="bottom", fontsize=_SMALL_FONT, color=GREY, annotation_clip=False,
        )  # fmt: skip
        if start:
            axes.axvline(start, color="white", linewidth=3)
        start = end


def _label_rows(axes: Axes, labels: Sequence[str], count: int) -> None:
    axes.set_yticks([index + 0.5 for index in range(count)] if labels else [], labels)
