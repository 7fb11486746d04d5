"""The colours of pictures and pages, in light and dark mode.

Text has at least the contrast of WCAG 2.1 AA (4.5 to 1). The fills of objects are tints of the
palette of Okabe and Ito (2008), which people with colour blindness can tell apart; names are always
written, so that no colour is needed to read a picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FILLS: Final = (
    "#8fc8f0", "#f5b96b", "#7fd1ae", "#e8a6cd", "#f2e27a", "#c9c3ef", "#e9a18f", "#c9ccd1",
)  # fmt: skip
"""The fills of objects, in both modes; text on them is `ON_FILL`."""
ON_FILL: Final = "#111111"
LIGHT: Final[Mapping[str, str]] = {
    "paper": "#ffffff",
    "ink": "#1b1b1b",
    "muted": "#555b63",
    "line": "#6d747d",
    "panel": "#f3f5f7",
    "box": "#e7ebef",
    "wall": "#59616b",
    "floor": "#fbfbf8",
    "water": "#d9ebf7",
    "new": "#0067a8",
    "old": "#767676",
    "fault": "#b03000",
    "good": "#00664b",
}
DARK: Final[Mapping[str, str]] = {
    "paper": "#15181c",
    "ink": "#ececec",
    "muted": "#b4bac2",
    "line": "#9aa2ac",
    "panel": "#20242a",
    "box": "#2b3038",
    "wall": "#8a929d",
    "floor": "#23272d",
    "water": "#1d3444",
    "new": "#7cc4f5",
    "old": "#a8a8a8",
    "fault": "#ff9a70",
    "good": "#62d2ae",
}
_FONT: Final = "system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"


def fill(number: int, *, with_grey: bool = True) -> str:
    """Return the style of an object with the fill of this number.

    Args:
        number: the number; the fills start again after the last.
        with_grey: whether the last fill, which is grey, may be used.
    """
    return f"thing c{number % (len(FILLS) if with_grey else len(FILLS) - 1)}"


def picture_style(colours: Mapping[str, str]) -> str:
    """Return the style sheet of pictures with these colours."""
    rules = [
        f".scene text{{font-family:{_FONT};fill:{colours['ink']};stroke:none}}",
        f".scene .muted{{fill:{colours['muted']}}}",
        f".scene .on{{fill:{ON_FILL}}}",
        f".scene .edge{{stroke:{colours['line']};stroke-width:1.2;fill:none}}",
        f".scene .thick{{stroke:{colours['line']};stroke-width:4;fill:none}}",
        ".scene .thing{stroke:#33383e;stroke-width:1.2}",
    ]
    grounds = ("paper", "panel", "box", "wall", "floor", "water", "line")
    rules += [f".scene .{name}{{fill:{colours[name]}}}" for name in grounds]
    rules += [f".scene .c{number}{{fill:{fill}}}" for number, fill in enumerate(FILLS)]
    mark = "fill:none;stroke-width:3"
    rules += [
        f".scene .new{{{mark};stroke:{colours['new']}}}",
        f".scene .old{{{mark};stroke-width:2;stroke:{colours['old']};stroke-dasharray:4 4}}",
        f".scene .way{{{mark};stroke-width:2;stroke:{colours['new']}}}",
        f".scene .tip{{fill:{colours['new']}}}",
        f".scene .fault{{{mark};stroke:{colours['fault']};stroke-dasharray:7 4}}",
        f".scene .good{{stroke:{colours['good']};stroke-width:2.5;fill:none}}",
        f".scene text.goodtext{{fill:{colours['good']}}}",
    ]
    return "\n".join(rules)
