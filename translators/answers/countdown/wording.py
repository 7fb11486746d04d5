"""Removes the text around arithmetic: typographic signs, LaTeX, Markdown, labels."""

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
        # Full-width plus, parentheses, equals sign and colon.
        **dict(zip("\uff0b\uff08\uff09\uff1d\uff1a", "+()=:", strict=True)),
        # Non-breaking and thin spaces.
        **dict.fromkeys("\u00a0\u202f\u2009", " "),
    }
)
_LATEX: Final = re.compile(
    r"\\(?:(times|cdot|ast)|(div)|left|right|displaystyle|[\[\]()$,;!]|quad|text)(?![a-z])"
)
_ESCAPED: Final = re.compile(r"\\([-+*/=])")
_FRACTION: Final = re.compile(r"\\[dt]?frac\{([^{}]{1,200})\}\{([^{}]{1,200})\}")
# No underscore: names may start with one, and messages show names unchanged.
_ENDS: Final = "*`$#> \t"
_BULLET: Final = re.compile(r"-\s+")
_DENIAL: Final = re.compile(
    r"\b(?:not|no|never|cannot|wrong|incorrect|invalid|impossible|false|fail(?:s|ed)?|error)\b"
    r"|n[\u2019']t\b",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"-\s+(?=[^\W\d_])"
    r"|\d{1,4}[.):](?:\*\*)?\s+"
    r"|[^\W\d_][^\d:=()]{0,40}(?:\d{1,4})?\s{0,4}(?::|\)|\.\s)(?:\*\*)?",
    re.IGNORECASE,
)
# Words of order and inference. The text after them is the answer's, not a remark about it.
_ORDER: Final = re.compile(
    r"(?:(?:and|but|so|then|next|now|(?:first|second|third|fourth|last|final)(?:ly)?|after that"
    r"|thus|therefore|hence|sure|okay|ok|yes|i|we|you|it|this|that|which|can|will|do|get|gets"
    r"|have|has|obtain|compute|calculate|gives?|giving|makes?|making|yields?|is|equals?)"
    r"(?![^\W_])[,.!:]?\s{0,9}){1,9}(?=[-+(\[\d*`]|$)",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(r"\s\([^\W\d_][^()\d=+*/-]{1,200}\)[\s.*`]{0,9}$")
_LEFT: Final = re.compile(r"[(\[{]?\b(?:left|remaining|remains)\b", re.IGNORECASE)
_CHECK: Final = re.compile(
    r"[\s*_#>`-]{0,8}(?:(?:to|let me|let's|let us|we)\s{1,3})?(?:can\s{1,3})?"
    r"(?:verification|verify|verifying|check|checking|proof)"
    r"(?:\s{1,3}(?:this|it|the answer|steps))?[\s*_`]{0,4}(?:[:.,]|$)",
    re.IGNORECASE,
)
_ROUNDS: Final = 5


def plain_signs(text: str) -> str:
    r"""Return a text with keyboard signs, such as ``*`` for ``\times``."""
    if not text.isascii():
        text = text.translate(_SIGNS)
    text = text.replace("$", "")
    if "\\" in text:
        text = _LATEX.sub(_of_keyboard, _FRACTION.sub(r"((\1)/(\2))", _ESCAPED.sub(r"\1", text)))
    return text


def _of_keyboard(match: re.Match[str]) -> str:
    if match[1]:
        return "*"
    return "/" if match[2] else ""


def unlabelled(text: str, *, bullets: bool = False) -> str:
    """Return a line without labels, words of order, Markdown, remarks, ``(left: …)``.

    Args:
        text: the line. The result is empty if its label denies it.
        bullets: whether a dash before it is a bullet, and not a minus.
    """
    for _ in range(_ROUNDS):
        text = text.strip(_ENDS)
        label = (bullets and _BULLET.match(text)) or _LABEL.match(text) or _ORDER.match(text)
        if not label:
            break
        if _DENIAL.search(label[0]):
            return ""
        text = text[label.end() :]
    text = _REMARK.sub("", text) if text.endswith((")", ".")) else text
    rest = _LEFT.search(text)
    return (text[: rest.start()] if rest else text).rstrip("*`$ \t.,;").lstrip(_ENDS)


def unordered(text: str) -> str:
    """Return a part of a line without words such as ``and then`` before it."""
    text = text.strip()
    order = _ORDER.match(text)
    return text[order.end() :] if order else text


def heads_a_check(text: str) -> bool:
    """Return whether a line starts a check of the answer, such as ``Verification:``."""
    return _CHECK.match(text) is not None
