"""Escape text for the forms of a table, each on one line."""

from __future__ import annotations

import re
from typing import Final

_LATEX: Final = str.maketrans({
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    # In the default font encoding these three are other characters.
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
})  # fmt: skip
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>|~&$])")
_SPACES: Final = re.compile(r"\s+")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def latex_text(text: str) -> str:
    """Return text for LaTeX, in which every character stands for itself."""
    return _one_line(text).translate(_LATEX)


def markdown_text(text: str) -> str:
    """Return text for a cell of a Markdown table, in which every character stands for itself."""
    return _MARKDOWN.sub(r"\\\1", _one_line(text))


def markdown_cell(text: str) -> str:
    """Return Markdown that is a cell of a table: what would end the cell or be HTML is escaped."""
    return _one_line(text).replace("|", "\\|").replace("<", "&lt;")


def _one_line(text: str) -> str:
    """Return a text without line breaks, which would end a row, and other control characters."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", _SPACES.sub(" ", text))
