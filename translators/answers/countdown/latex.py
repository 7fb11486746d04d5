r"""Writes LaTeX with keyboard signs: ``\frac{8}{3}`` becomes ``((8)/(3))``. Not recursive."""

from __future__ import annotations

import re
from typing import Final

BOX, END_OF_BOX = "\ue000", "\ue001"
r"""The marks of a ``\boxed{…}`` in the text without LaTeX."""
_TOKEN: Final = re.compile(r"\\(?:[A-Za-z]+\*?|\Z|[\s\S])|[{}]|[^\\{}]+")
# `23{,}850` and `23\,850` are 23,850.
_THOUSANDS: Final = re.compile(r"(?<=\d)(?:\{,\}|\\[,;!])(?=\d{3}(?!\d))")
_SIGNS: Final = {
    **dict.fromkeys(("times", "cdot", "ast", "star", "bullet"), "*"),
    "div": "/",
    **dict.fromkeys(
        ("to", "rightarrow", "Rightarrow", "longrightarrow", "Longrightarrow", "implies",
         "mapsto", "longmapsto", "leadsto"), " \u2192 "),
    **dict.fromkeys(("approx", "approxeq", "simeq", "sim"), "\u2248"),
    **dict.fromkeys(("neq", "ne"), "\u2260"),
    "equiv": "=",
    "checkmark": "\u2713",
    # Pairs of characters: brackets of formulas, blanks, ends of lines, escaped signs.
    **dict.fromkeys("()[],;:!> $#", " "),
    **dict.fromkeys(("\\", "n"), " ; "),
    "{": "(",
    "}": ")",
    **dict.fromkeys(
        ("left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl",
         "biggr", "middle", "displaystyle", "textstyle", "quad", "qquad", "nonumber", "notag",
         "text", "textbf", "textit", "textrm", "texttt", "mathrm", "mathbf", "mathit", "mathsf",
         "mathtt", "operatorname", "mbox", "hbox", "emph", "underline", "boldsymbol", "bm",
         "underbrace", "overbrace", "bf", "rm", "bigskip", "medskip", "newline", "therefore"),
        " "),
}  # fmt: skip
_FRACTIONS: Final = {"frac", "dfrac", "tfrac", "cfrac"}
_BOXES: Final = {"boxed", "fbox"}
# The group after these is no arithmetic.
_UNREAD: Final = {"begin", "end", "hspace", "vspace", "color", "textcolor", "label", "tag",
                  "cancel", "xcancel", "bcancel", "sout", "phantom"}  # fmt: skip
# What the next group is, with the texts before and after it.
_NUMERATOR, _DENOMINATOR = ("((", ")/("), ("", "))")
_GROUP, _WORDS, _BOXED = ("(", ")"), (" ", " "), (BOX, END_OF_BOX)


class _Writer:
    """The text so far, and the groups that are open."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.open: list[tuple[int, tuple[str, str] | None]] = []
        self.next: tuple[str, str] | None = _GROUP
        self.words = False
        """Whether the next group is the argument of a command for the style of text."""

    def start(self) -> None:
        """Open a group."""
        kind = _WORDS if self.words and self.next is _GROUP else self.next
        self.open.append((len(self.parts), kind))
        self.parts.append(kind[0] if kind else "")
        self.next, self.words = _GROUP, False

    def end(self) -> None:
        """Close a group; drop its text if it is no arithmetic."""
        if not self.open:
            return
        start, kind = self.open.pop()
        self.next, self.words = _GROUP, False
        if kind is None:
            ends = "".join(self.parts[start:]).count("\n")
            self.parts[start:] = "\n" * ends
            return
        self.parts.append(kind[1])
        if kind is _NUMERATOR:
            self.next = _DENOMINATOR

    def command(self, name: str) -> None:
        """Write a command; it may say what the next group is."""
        if name in _FRACTIONS:
            self.next = _NUMERATOR
        elif name in _BOXES:
            self.next = _BOXED
        elif name in _UNREAD:
            self.next = None
        elif name == "over" and self.open and self.open[-1][1] is _GROUP:
            self.parts[self.open[-1][0]] = "(("
            self.parts.append(")/(")
            self.open[-1] = (self.open[-1][0], ("((", "))"))
        else:
            self.words = name in _SIGNS
            self.parts.append(_SIGNS.get(name, name if len(name) == 1 else f" {name}"))

    def text(self, text: str) -> None:
        """Write a text without LaTeX; a fraction without braces takes single characters."""
        while self.next in (_NUMERATOR, _DENOMINATOR) and (bare := text.lstrip()):
            self.start()
            self.parts.append(bare[0])
            self.end()
            text = bare[1:]
        if text.endswith(("_", "^ ", "_ ")) and text.rstrip().endswith("_"):
            self.next, text = None, text.rstrip()[:-1]  # an index below: a remark
        elif text.strip():
            self.next, self.words = _GROUP, False
        self.parts.append(text)


def without_latex(text: str) -> str:
    r"""Return a text with keyboard signs in place of LaTeX, with the same line ends.

    ``\boxed{…}`` becomes `BOX` … `END_OF_BOX`. Groups may be nested to any depth.
    """
    text = _THOUSANDS.sub(",", text)
    if "\\" not in text:
        return text
    writer = _Writer()
    for token in _TOKEN.findall(text):
        if token == "{":  # noqa: S105 -- a brace
            writer.start()
        elif token == "}":  # noqa: S105 -- a brace
            writer.end()
        elif token[0] == "\\":
            writer.command(token[1:].rstrip("*") or token[1:])
        else:
            writer.text(token)
    written = "".join(writer.parts)
    return written.replace("&", " ")
