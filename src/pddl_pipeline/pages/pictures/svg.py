"""Parts of SVG as text, and the colours of pictures and pages, in light and dark mode.

Names are escaped here and nowhere else.

Text has at least the contrast of WCAG 2.1 AA (4.5 to 1). The fills of objects are tints of the
palette of Okabe and Ito (2008), which people with colour blindness can tell apart; names are always
written, so that no colour is needed to read a picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from textwrap import wrap
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


def fill(number: int) -> str:
    """Return the style of an object with the fill of this number; the last one, grey, is left out.

    The fills start again after the last.
    """
    return f"thing c{number % (len(FILLS) - 1)}"


_LETTER: Final = 0.6
"""Width of a letter per pixel of its font, which is an estimate: fonts differ."""
_BOLD: Final = 1.15
"""How much wider the letters of bold text are."""
_SMALLEST: Final = 8.0
_LINES: Final = 3


def number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def rect(  # noqa: PLR0913, PLR0917 -- the attributes of a rectangle
    x: float, y: float, width: float, height: float, style: str, radius: float = 0
) -> str:
    """Return a rectangle of a class of the style sheet."""
    corners = f" rx='{number(radius)}'" if radius else ""
    return (
        f"<rect x='{number(x)}' y='{number(y)}' width='{number(width)}' "
        f"height='{number(height)}'{corners} class='{style}'/>"
    )


def line(x1: float, y1: float, x2: float, y2: float, style: str = "edge") -> str:
    """Return a line of a class of the style sheet."""
    return f"<path d='M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}' class='{style}'/>"


def text_width(text: str, size: float = 13) -> float:
    """Return an estimate of a text's width, in pixels."""
    return _LETTER * size * len(text)


def text(  # noqa: PLR0913 -- the attributes of a text
    x: float,
    y: float,
    content: str,
    *,
    width: float = 0,
    size: float = 13,
    style: str = "",
    anchor: str = "middle",
    bold: bool = False,
) -> str:
    """Return a text at its baseline.

    A text wider than `width`, if that is given, is written smaller, then in up to three lines. Only
    a longer one is shortened in the middle; the whole text is then its tooltip.
    """
    lines, shown = [content], content
    letter = _LETTER * (_BOLD if bold else 1)
    if width and letter * size * len(content) > width:
        size = max(_SMALLEST, width / (letter * len(content)))
        # Without the small number, rounding would cut a text that just fits.
        longest = max(1, int(width / (letter * size) + 1e-9))
        shown = shortened_middle(content, longest * _LINES)
        lines = wrap(shown, longest, break_on_hyphens=False) or [shown]
    title = "" if shown == content else f"<title>{escape(content)}</title>"
    weight = " font-weight='600'" if bold else ""
    named = f" class='{style}'" if style else ""
    place = "" if anchor == "start" else f" text-anchor='{anchor}'"
    written = escape(lines[0])
    for part in lines[1:]:
        written += f"<tspan x='{number(x)}' dy='{number(size)}'>{escape(part)}</tspan>"
    # The middle of several lines is at the place of a single one.
    y -= (len(lines) - 1) * size / 2
    return (
        f"<text x='{number(x)}' y='{number(y)}' font-size='{number(size)}'{place}{weight}{named}>"
        f"{title}{written}</text>"
    )


def shortened_middle(content: str, longest: int) -> str:
    """Return a text of at most this many characters; its end often tells names apart."""
    if len(content) <= max(longest, 2):
        return content
    tail = max(1, (longest - 1) // 2)
    return f"{content[: max(1, longest - 1 - tail)]}…{content[-tail:]}"
