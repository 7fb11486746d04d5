r"""Writes arithmetic with keyboard signs: ``\frac{8}{3}`` is ``((8)/(3))``; verbs too.

Line ends stay where they are.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final
from unicodedata import normalize

OPEN, CLOSE, LABEL, RESULT, BOX = "\ue000\ue001\ue002\ue003\ue004"
"""Marks: the start and the end of a tagged answer, a label such as ``Answer:``, the place of the
last result, and the start of a box."""
_KEYS: Final = {
    "*": "\u00d7\u00b7\u22c5\u2219\u2022\u2715\u2716\u2217\u2a09\u2a2f\u2062",
    "/": "\u00f7\u2215\u2044\u2797",
    "-": "\u2212\u2013\u2014\u2010\u2011\ufe63\u2796",
    "+": "\u2795",
    "=": "\u2261",
    ".": "\u3002",
    "'": "\u2019",
    "\u2192": "\u21d2\u279c\u2794\u27f6\u27f9\u21a6\u279d\u279e\u27a1\u21e8\u27a4\u25b6",
    "\u2248": "\u2243\u2245\u223c",
    " ": "\u2234\u2235\u00a0\u202f\u2009\u2007\u3000",
}
_TABLE: Final = {
    **{ord(sign): key for key, signs in _KEYS.items() for sign in signs},
    **dict.fromkeys(map(ord, f"\ufe0f\u20e3{OPEN}{CLOSE}{LABEL}{RESULT}{BOX}")),
}
# `23,850`, `23 850` with a space that does not break, `23{,}850`, `23\,850`, `1'200`, `1_200`.
_GROUPED: Final = re.compile(
    r"(?<![\d'\"])(\d{1,3})((?:(?:\{,\}|\\[,;!]|[\u00a0\u202f\u2009'\u2019_])\d{3})+)(?![\d'\"])"
)
_CUT_OFF: Final = re.compile(r"(=\s{0,3})?(\d{1,40}\.\d{1,40})(?:\.{2,4}|\u2026)", re.ASCII)
_RATIO: Final = re.compile(r"(?<=\d) : (?=\d+ ?= ?\d+\b(?! ?[-+*/x]))", re.ASCII)
_HTML: Final = re.compile(
    r"~~[^~\n]{1,400}~~|<(s|del)>[^<\n]{1,400}</\1>|</?(?!answer|plan)\w{1,12}\s?/?>", re.IGNORECASE
)
# `**` is a power only between two operands; `a = 3 + 5  # 8` ends with a value.
_DROPPED: Final = re.compile(
    r"(?<![\d)])(?<![\d)] )\*\*|\*\*(?! ?[-\d(])|(?<! )\*\*(?= )|(?<= )\*\*(?! )"
    r"|(?<=[\w)])[ \t]{1,20}#[ \t]{0,9}-?\d[\d_.,/]*[ \t]*$",
    re.MULTILINE,
)
_DEEPEST: Final = 20
_FRACTION: Final = re.compile(r"\\[dtc]?frac\s?(?:\{([^{}]*)\}|(\d))\s?(?:\{([^{}]*)\}|(\d))")
_GROUP: Final = re.compile(r"\\(?![dtc]?frac)([A-Za-z]+)\*?\s?\{([^{}]*)\}")
_COMMAND: Final = re.compile(r"\\([A-Za-z]+|[\s\S]|$)")
_STYLE: Final = re.compile(
    r"left|right|[bB]ig+[lrm]?|text\w*|math\w*|\w*quad|\w*style|\w*brace|bf|rm|emph|therefore|because"
)
_COMMANDS: Final = {
    "times": "*", "cdot": "*", "ast": "*", "div": "/", "to": " \u2192 ", "implies": " \u2192 ",
    "approx": "\u2248", "neq": "\u2260", "ne": "\u2260", "equiv": "=", "boxed": BOX,
    "\\": " ; ", "{": "(", "}": ")", "*": "*", "%": "%",
}  # fmt: skip
_HIDDEN: Final = frozenset(("begin", "end", "tag", "cancel", "xcancel", "sout", "phantom"))
_N: Final = r"\(?-?\d+(?:[/.]\d+)?\)?"
_REFERENCE: Final = (
    r"(?:(?:the|this|that|our) )?(?:(?:new|last|previous) )?"
    r"(?:result|sum|product|difference|quotient|number|it|that|this)\b(?! of)"
)
_O: Final = rf"(?:(?:both )?(\([\d\s+*/.-]{{3,60}}\)|{_N})|{_REFERENCE}(?: \(({_N})\))?)"
_VERB: Final = re.compile(
    r"\b(add|sum|subtract|take|multipl|product|divid|quotient|difference)\w{0,4}"
    rf"(?: (?:of|up|by|with|away|between)){{0,2}} {_O}(?:,? (and|to|from|by|with) {_O})?",
    re.IGNORECASE,
)
_INFIX: Final = re.compile(
    r"(?<=[\d)]) (plus|minus|times|multiplied by|divided by|over) (?:(-?\d+/\d+)|(?=[-(\d]))",
    re.IGNORECASE,
)
_SIGNS: Final = {
    "add": "+", "sum": "+", "plu": "+", "sub": "-", "tak": "-", "dif": "-", "min": "-",
    "mul": "*", "pro": "*", "tim": "*", "div": "/", "quo": "/", "ove": "/",
}  # fmt: skip
_FILL: Final = r"(?:(?:to|which|we|and|that|this|it|in|the|us|is|our|equal|target|exactly) ){0,3}"
_EQUALS: Final = re.compile(
    rf"(?<=[\d)])[^\w()]{{0,3}}{_FILL}(?:is|are|equals?|get\w*|giv\w+|makes?|obtain|leav\w+"
    rf"|yields?|result\w*|reach) {_FILL}(?=-?\d|\()",
    re.IGNORECASE,
)


def keyboard(text: str) -> str:
    """Return a text with keyboard signs and the same line ends. Struck-out text is removed."""
    if ".." in text or "\u2026" in text:
        text = _CUT_OFF.sub(lambda m: ("\u2248" if m[1] else "") + m[2], text)
    text = text.replace("&=", "=").replace("!=", "\u2260")
    text = _GROUPED.sub(lambda m: m[1] + re.sub(r"\D", "", m[2]), text)
    if "&" in text:
        text = re.sub(r"&#?\w{2,6};", lambda m: unescape(m[0]), text)
    if not text.isascii():
        text = text.translate({ord(sign): _key(sign) for sign in set(text)}).translate(_TABLE)
    if " : " in text:
        text = _RATIO.sub(" / ", text)
    if "~~" in text or "<" in text:
        text = _HTML.sub(" ", text)
    if "**" in text or "#" in text:
        text = _DROPPED.sub(" ", text)
    return (_without_latex(text) if "\\" in text else text).replace("$", " ")


def _key(sign: str) -> str:
    """Return a character; a fraction such as ``½`` in digits, a full-width sign as usual."""
    if sign in "²³" or sign < "\x80":
        return sign
    plain = normalize("NFKC", sign)
    parts = plain.split("\u2044")
    if len(parts) == 2 and all(map(str.isdecimal, parts)):
        return f"({'/'.join(parts)})"
    return plain if "\uff00" <= sign <= "\uff5e" else sign


def _without_latex(text: str) -> str:
    r"""Return a text without LaTeX. ``\boxed{…}`` becomes `BOX` … `CLOSE`."""
    for _ in range(_DEEPEST):
        before = text
        text = _GROUP.sub(
            _group, _FRACTION.sub(lambda m: f"(({m[1] or m[2]})/({m[3] or m[4]}))", text)
        )
        if text == before:
            break
    return _COMMAND.sub(_command, text).replace("{", "(").replace("}", ")").replace("&", " ")


def _group(match: re.Match[str]) -> str:
    """Return the text of a command with a group."""
    name, inside = match[1], match[2]
    if name in ("boxed", "fbox"):
        return f"{BOX}{inside}{CLOSE}"
    if name in _HIDDEN:
        return "\n" * inside.count("\n")
    return f" {inside} " if _STYLE.fullmatch(name) else f" {name}({inside})"


def _command(match: re.Match[str]) -> str:
    """Return the sign for a command; other commands than those of style are words."""
    name = match[1]
    if name.lower().endswith("rightarrow"):
        return " \u2192 "
    return _COMMANDS.get(name, " " if _STYLE.fullmatch(name) or not name.isalpha() else f" {name}")


def in_signs(text: str) -> str:
    """Return a text with signs in place of words for operations.

    A step that goes on with the result of the one before has `RESULT` in its place.
    """
    text = _INFIX.sub(lambda m: f" {_SIGNS[m[1][:3].lower()]} {f'({m[2]})' if m[2] else ''}", text)
    return _EQUALS.sub(" = ", _VERB.sub(_written, text))


def _written(match: re.Match[str]) -> str:
    """Return a step in words as an expression."""
    verb, *numbers = match.groups()
    numbers = [f"({word})" if word and "/" in word and word[0] != "(" else word for word in numbers]
    first, join, second = numbers[0] or numbers[1], numbers[2], numbers[3] or numbers[4]
    if join is None:
        return f"; {RESULT} {_SIGNS[verb[:3].lower()]} {first}" if first else match[0]
    x, y = first or RESULT, second or RESULT
    sign = _SIGNS[verb[:3].lower()]
    return f"; {y} {sign} {x}" if join == "from" else f"; {x} {sign} {y}"
