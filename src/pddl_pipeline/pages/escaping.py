"""Text of others in HTML: escaped, with its invisible characters made visible."""

from __future__ import annotations

import json
import unicodedata
from html import escape
from typing import Any

# A joiner is part of letters and emoji; every other character of these kinds is shown by its code.
_JOINERS = "\u200c\u200d"
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def visible(text: str) -> str:
    """Return a text without characters that hide or turn around other text, such as RTL marks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character in _JOINERS or character == "\t":
        return character
    if unicodedata.category(character) in _HIDDEN:
        return f"[U+{ord(character):04X}]"
    return character


def html(text: str) -> str:
    """Return a text as HTML that stands alone: the direction of its letters ends with it."""
    shown = escape(visible(text))
    return shown if shown.isascii() else f"<bdi>{shown}</bdi>"


def script_data(value: Any) -> str:
    """Return a value as JSON that can stand in a ``script`` element."""
    dumped = json.dumps(value, separators=(",", ":"))
    return dumped.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
