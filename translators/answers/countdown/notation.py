"""Writes the many ways to print arithmetic with the signs of a keyboard."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from pddl_pipeline.translators.answers.countdown.latex import without_latex

ARROW: Final = "\u2192"
_VULGAR: Final = {
    "\u00bd": "1/2", "\u2153": "1/3", "\u2154": "2/3", "\u00bc": "1/4", "\u00be": "3/4",
    "\u2155": "1/5", "\u2156": "2/5", "\u2157": "3/5", "\u2158": "4/5", "\u2159": "1/6",
    "\u215a": "5/6", "\u2150": "1/7", "\u215b": "1/8", "\u215c": "3/8", "\u215d": "5/8",
    "\u215e": "7/8", "\u2151": "1/9", "\u2152": "1/10",
}  # fmt: skip
_KEYS: Final = str.maketrans(
    {
        # Times sign, dots, crosses, asterisks.
        **dict.fromkeys(
            "\u00d7\u00b7\u22c5\u2219\u2022\u2715\u2716\u2217\uff0a\u2a09\u2a2f\u2062", "*"
        ),
        # Division sign and slashes.
        **dict.fromkeys("\u00f7\u2215\u2044\uff0f\u2797", "/"),
        # Minus sign, dashes, hyphens.
        **dict.fromkeys("\u2212\u2013\u2014\u2010\u2011\ufe63\uff0d\u2796", "-"),
        # Full-width plus, parentheses, equals sign, colon, comma, full stop, semicolon.
        **dict(
            zip(
                "\uff0b\uff08\uff09\uff1d\uff1a\uff0c\u3002\uff1b\u2795",
                "+()=:,.;+",
                strict=True,
            )
        ),
        **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
        # Non-breaking and thin spaces.
        **dict.fromkeys("\u00a0\u202f\u2009\u2007\u3000", " "),
        # Arrows; signs for "therefore" and "identical".
        **dict.fromkeys(
            "\u21d2\u279c\u2794\u27f6\u27f9\u21a6\u279d\u279e\u27a1\u21e8\u27a4\u25b6", ARROW
        ),
        "\u2234": " ",
        "\u2261": "=",
        "\u2019": "'",
        **dict.fromkeys("\u2243\u2245\u223c", "\u2248"),
        # Marks that make emojis of digits and signs; marks of this reader's own.
        **dict.fromkeys("\ufe0f\u20e3\ue000\ue001\ue002\ue003\ue004\ue005"),
    }
)
# `23 850` with a space that does not break is 23,850.
_THIN: Final = re.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))")
# `1'200` is 1200, but not in quotes, where one sign may be a quotation mark.
_APOSTROPHE: Final = re.compile(r"(?<![\d'\"])\d{1,3}(?:'\d{3})+(?![\d'\"])")
# `= 2.666...` is rounded.
_CUT_OFF: Final = re.compile(r"(=\s{0,3})?(\d{1,40}\.\d{1,40})(?:\.{2,4}|\u2026)")
_MIXED: Final = re.compile(rf"(\d{{0,9}})([{''.join(_VULGAR)}])")
_RATIO: Final = re.compile(r"\b(\d{1,9}) : (\d{1,9})\s{0,3}=\s{0,3}(\d{1,9})\b", re.ASCII)
_ENTITY: Final = re.compile(r"&(?:times|divide|minus|middot|sdot|frasl|nbsp|plus|equals|#\d{1,5});")
_BREAK: Final = re.compile(r"<br\s?/?>|</?(?:p|li|tr)>", re.IGNORECASE)
_STYLE: Final = re.compile(r"</?(?:b|i|u|em|strong|code|span|div|ul|ol|math|pre)>", re.IGNORECASE)
# A dash before a formula is the bullet of a list.
_BULLET: Final = re.compile(r"^[ \t]{0,9}[-+*]\s{1,4}(?=\$|\\[(\[])", re.MULTILINE)
_STRUCK: Final = re.compile(r"~~[^~\n]{1,400}~~|<(?:s|del)>[^<\n]{1,400}</(?:s|del)>")


def keyboard(text: str) -> str:
    r"""Return a text with keyboard signs, such as ``*`` for ``\times``, and the same line ends.

    Text that is struck out is removed.
    """
    if ".." in text or "\u2026" in text:
        text = _CUT_OFF.sub(_rounded, text)
    if not text.isascii():
        text = _THIN.sub(",", text)
        text = text.translate(_KEYS)
        text = _MIXED.sub(_fraction, text)
    if "'" in text:
        text = _APOSTROPHE.sub(lambda match: match[0].replace("'", ""), text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: unescape(match[0]).translate(_KEYS), text)
    if " : " in text:
        text = _RATIO.sub(_quotient, text)
    if "~~" in text or "<" in text:
        text = _STYLE.sub(" ", _BREAK.sub(" ; ", _STRUCK.sub(" ", text)))
    if "$" in text or "\\" in text:
        text = _BULLET.sub("", text)
    if "\\" in text or "{,}" in text:
        text = without_latex(text)
    return text.replace("$", " ")


def _quotient(match: re.Match[str]) -> str:
    """Return ``8 / 2 = 4`` for ``8 : 2 = 4``; a colon with another value is a label's."""
    first, second, value = (int(match[index]) for index in (1, 2, 3))
    return f"{first} / {second} = {value}" if first == second * value else match[0]


def _rounded(match: re.Match[str]) -> str:
    sign = "\u2248" if match[1] else ""
    return f"{sign}{match[2]}"


def _fraction(match: re.Match[str]) -> str:
    whole = f"{match[1]}+" if match[1] else ""
    return f"({whole}{_VULGAR[match[2]]})"
