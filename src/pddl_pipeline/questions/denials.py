"""Denials in answers to questions: ``not c0 is at l1`` chooses no option."""

from __future__ import annotations

import re
from typing import Final

_N_T: Final = r"n['\u2019]t"
_WRONG: Final = "wrong|incorrect|invalid|impossible|false"

_NEAR: Final = 60
_NO: Final = rf"(?:\bnot(?!\sonly\b)|\w{{0,6}}{_N_T}|\bcannot|\bnever|\bneither|\bnor)"
_BEFORE: Final = re.compile(
    rf"{_NO}(?:\s(?:be|is|it|that|the|a|an|option|choice|action|goal|atom|step|index|number"
    r"|applicable|possible|correct|choose|pick|answer))*[\s(\[\"']*$"
)
_AFTER: Final = re.compile(
    r"[)\]\"']{0,3}(?:,\s(?=which\b))?\s?(?:(?:which|that|it|action|option|goal|also)\s)*"
    r"(?:(?:is|are|was|can|could|will|would|does|do|may|must|should|has|be)\s?){0,2}"
    rf"(?:{_NO}|\b(?:inapplicable|{_WRONG}))"
)


def denied_before(text: str, start: int) -> bool:
    """Return whether the words right before a position deny what starts there.

    The text has single blanks.
    """
    return _BEFORE.search(text[max(0, start - _NEAR) : start]) is not None


def denied(text: str, start: int, end: int) -> bool:
    """Return whether the words right before or right after a part of a text deny it."""
    return denied_before(text, start) or _AFTER.match(text[end : end + _NEAR]) is not None
