"""What stands around arithmetic in answers: signs of print and of LaTeX, Markdown, labels."""

from __future__ import annotations

import re
from typing import Final

_SIGNS: Final = str.maketrans(
    {
        # Times sign, dots, crosses, asterisks.
        **dict.fromkeys("\u00d7\u00b7\u22c5\u2219\u2022\u2715\u2716\u2217\uff0a", "*"),
        # Division sign and slashes.
        **dict.fromkeys("\u00f7\u2215\u2044\uff0f", "/"),
        # Minus sign, dashes, hyphens.
        **dict.fromkeys("\u2212\u2013\u2014\u2010\u2011\ufe63\uff0d", "-"),
        # Of full width: plus, parentheses, equals.
        **dict(zip("\uff0b\uff08\uff09\uff1d", "+()=", strict=True)),
        # Spaces that do not break, and thin ones.
        **dict.fromkeys("\u00a0\u202f\u2009", " "),
    }
)
_LATEX: Final = re.compile(
    r"\\(?:(times|cdot|ast)|(div)|left|right|displaystyle|[\[\]()$,;!]|quad|text)(?![a-z])"
)
_FRACTION: Final = re.compile(r"\\[dt]?frac\{([^{}]{1,200})\}\{([^{}]{1,200})\}")
# No underscore: names may start with it, and are to be shown as they are.
_ENDS: Final = "*`$#> \t"
_LABEL: Final = re.compile(
    r"-\s+"
    r"|\d{1,4}[.):](?:\*\*)?\s+"
    r"|[a-z][^\d:=()]{0,40}(?:\d{1,4})?\s{0,4}(?::|\)|\.\s)(?:\*\*)?",
    re.IGNORECASE,
)
_LEFT: Final = re.compile(r"[(\[{]?\b(?:left|remaining|remains)\b", re.IGNORECASE)
_ROUNDS: Final = 4


def plain_signs(text: str) -> str:
    r"""Return a text with the signs of a keyboard, such as ``*`` for ``\times``."""
    if not text.isascii():
        text = text.translate(_SIGNS)
    if "\\" in text:
        text = _LATEX.sub(_of_keyboard, _FRACTION.sub(r"((\1)/(\2))", text))
    return text


def _of_keyboard(match: re.Match[str]) -> str:
    if match[1]:
        return "*"
    return "/" if match[2] else ""


def unlabelled(text: str) -> str:
    """Return a line without bullets, numbers of lists, labels, Markdown, and ``(left: …)``."""
    for _ in range(_ROUNDS):
        text = text.strip(_ENDS)
        label = _LABEL.match(text)
        if label is None:
            break
        text = text[label.end() :]
    rest = _LEFT.search(text)
    return (text[: rest.start()] if rest else text).rstrip("*`$ \t.,;").lstrip(_ENDS)
