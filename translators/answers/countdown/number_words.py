"""Writes numbers in words as digits: ``twenty-four`` is ``24``."""

from __future__ import annotations

import re
from typing import Final

_SMALL: Final = {
    word: value
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
         "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
         "eighteen", "nineteen")
    )
}  # fmt: skip
_TENS: Final = {
    word: 10 * value
    for value, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2
    )
}
_UNITS: Final = "|".join(list(_SMALL)[1:10])
_WORD: Final = re.compile(
    rf"\b(?:({'|'.join(_TENS)})(?:[- ]({_UNITS}))?|({'|'.join(_SMALL)}))\b", re.IGNORECASE
)
_OPERATION: Final = re.compile(r"\b(?:plus|minus|times|divid|multipl|add|subtract)", re.IGNORECASE)
_DIGIT: Final = re.compile(r"\d")


def in_digits(text: str) -> str:
    """Return an answer that tells operations with digits in place of words for numbers.

    An answer with any digit stays the same: there words such as `one` are prose.
    """
    if _DIGIT.search(text) or not _OPERATION.search(text):
        return text
    return _WORD.sub(_digits, text)


def _digits(match: re.Match[str]) -> str:
    tens, unit, small = match.groups()
    if small is not None:
        return str(_SMALL[small.lower()])
    return str(_TENS[tens.lower()] + (_SMALL[unit.lower()] if unit else 0))
