"""Grids of panels that fit a screen, and the names in them.

Requires matplotlib, which is an extra, and so do the modules that import this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final, NamedTuple

from matplotlib.figure import Figure

from pddl_pipeline.tables.plot_style import PRINT_DPI

_SCREEN: Final = (16.0, 9.0)
"""The shape of a screen; a grid is chosen that fits into it best."""
_SCREEN_PIXELS: Final = 1_200
_LONGEST: Final = 28


class PanelGrid(NamedTuple):
    """How many panels stand beside each other and below each other."""

    columns: int
    rows: int


def panel_grid(count: int, width: float, height: float, left: float = 0.0) -> PanelGrid:
    """Return the grid that fits the shape of a screen best.

    Args:
        count: the number of panels, at least one.
        width: the width of a panel, in inches as all of these.
        height: the height of a panel.
        left: the width of what stands left of the first column.
    """

    def reach(grid: PanelGrid) -> float:
        return max(
            (left + grid.columns * width) / _SCREEN[0], grid.rows * height / _SCREEN[1]
        )  # fmt: skip

    return min((PanelGrid(n, ceil(count / n)) for n in range(1, count + 1)), key=reach)


def screen_dpi(figure: Figure) -> int:
    """Return the dots per inch for a picture that is no higher than a screen, at most 300."""
    return min(PRINT_DPI, int(_SCREEN_PIXELS / figure.get_figheight()))


def short_names(names: Sequence[str]) -> list[str]:
    """Return names of at most 28 characters, long ones without their middle.

    Names that would be the same get their numbers in the list.
    """
    half = _LONGEST // 2 - 1
    short = [
        name if len(name) <= _LONGEST else f"{name[:half]}…{name[-half:]}" for name in names
    ]  # fmt: skip
    return [
        name if short.count(name) == 1 else f"{name} ({number})"
        for number, name in enumerate(short, 1)
    ]
