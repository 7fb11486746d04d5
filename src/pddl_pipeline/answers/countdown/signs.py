r"""Writes arithmetic with keyboard signs: ``\frac{8}{3}`` is ``((8)/(3))``, ``add 3 and 5`` ``3 + 5``.

Line ends stay where they are.
"""

from __future__ import annotations

import re
from fractions import Fraction
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
_RATIO: Final = re.compile(r"\b(\d{1,9}) : (\d{1,9})\s{0,3}=\s{0,3}(\d{1,9})\b", re.ASCII)
_HTML: Final = re.compile(r"~~[^~\n]{1,400}~~|<(s|del)>[^<\n]{1,400}</\1>|</?(?!answer|plan)\w{1,12}\s?/?>", re.I)
_BULLET: Final = re.compile(r"^[ \t]{0,9}[-+*]\s{1,4}(?=\$|\\[(\[])", re.MULTILINE)
# `**` is a power only between two operands.
_BOLD: Final = re.compile(
    r"(?<![\d)])(?<![\d)] )\*\*|\*\*(?! ?[-\d(])|(?<! )\*\*(?= )|(?<= )\*\*(?! )"
)
_TEX: Final = re.compile(r"\\(?:[A-Za-z]+\*?|[\s\S]?)|[{}]|[^\\{}]+")
_COMMANDS: Final = {
    "times": "*", "cdot": "*", "ast": "*", "div": "/", "to": " \u2192 ", "approx": "\u2248",
    "*": "*", "neq": "\u2260", "ne": "\u2260", "\\": " ; ", "{": "(", "}": ")", "equiv": "=", "%": "%",
}  # fmt: skip
_NAMED: Final = re.compile(r"sqrt|[a-z]*mod|binom|l?floor|l?ceil|log|ln|exp|max|min|gcd|lcm|pi|sum|prod|pm|mp|oplus|circ")
_HIDDEN: Final = frozenset(("begin", "end", "tag", "cancel", "xcancel", "sout", "phantom"))
_N: Final = r"\(?-?\d+(?:[/.]\d+)?\)?"
_REF: Final = r"(?:(?:the|this|that|our) )?(?:(?:new|last|previous) )?(?:result|sum|product|difference|quotient|number|it|that|this)\b(?! of)"
_O: Final = rf"(?:(?:both )?(\([\d\s+*/.-]{{3,60}}\)|{_N})|{_REF}(?: \(({_N})\))?)"
_VERB: Final = re.compile(
    rf"\b(add|sum|subtract|take|multipl|product|divid|quotient|difference)\w{{0,4}}(?: (?:of|up|by|with|away|between|both|from|together)){{0,2}} {_O}(?:,? (and|to|from|by|with) {_O})?",
    re.IGNORECASE,
)  # fmt: skip
_INFIX: Final = re.compile(
    r"(?<=[\d)]) (plus|minus|times|multiplied by|divided by|over) (?=[-(\d])", re.IGNORECASE
)
_SIGNS: Final = {
    "add": "+", "sum": "+", "plu": "+", "sub": "-", "tak": "-", "dif": "-", "min": "-",
    "mul": "*", "pro": "*", "tim": "*", "div": "/", "quo": "/", "ove": "/",
}  # fmt: skip
_EQUALS: Final = re.compile(
    r"(?<=[\d)])[^\w()]{0,3}(?:(?:to|which|we|and|that|this|it|in|the|together) ){0,3}"
    r"(?:is|are|equals?|get|gets|getting|gives?|giving|makes?|obtain|leaves?|leaving|yields?|result\w*|reach) "
    r"(?:(?:us|in|to|equal|exactly|our|the|target|of) ){0,3}(?=-?\d|\()",
    re.IGNORECASE,
)


def keyboard(text: str) -> str:
    """Return a text with keyboard signs and the same line ends. Struck-out text is removed."""
    if ".." in text or "\u2026" in text:
        text = _CUT_OFF.sub(lambda m: ("\u2248" if m[1] else "") + m[2], text)
    text = _GROUPED.sub(lambda m: m[1] + re.sub(r"\D", "", m[2]), text)
    if "&" in text:
        text = re.sub(r"&#?\w{2,6};", lambda m: unescape(m[0]), text)
    if not text.isascii():
        text = "".join(map(_key, text)).translate(_TABLE) if not text.isascii() else text
    if " : " in text:
        text = _RATIO.sub(_quotient, text)
    if "~~" in text or "<" in text:
        text = _HTML.sub(" ", text)
    if "**" in text:
        text = _BOLD.sub(" ", text)
    if "$" in text or "\\" in text:
        text = without_latex(_BULLET.sub("", text)).replace("$", " ")
    return text


def _key(sign: str) -> str:
    """Return a character; a fraction such as ``½`` in digits, a full-width sign as usual."""
    if sign in "²³" or sign < "\x80":
        return sign
    plain = normalize("NFKC", sign)
    parts = plain.split("\u2044")
    if len(parts) == 2 and all(map(str.isdecimal, parts)):
        return f"({'/'.join(parts)})"
    return plain if "\uff00" <= sign <= "\uff5e" else sign


def _quotient(match: re.Match[str]) -> str:
    """Return ``8 / 2 = 4`` for ``8 : 2 = 4``; a colon with another value is a label's."""
    first, second, value = map(int, match.groups())
    return f"{first} / {second} = {value}" if first == second * value else match[0]


def without_latex(text: str) -> str:
    r"""Return a text without LaTeX. ``\boxed{…}`` becomes `BOX` … `CLOSE`. Not recursive."""
    parts: list[str] = []
    opened: list[tuple[int, str]] = []
    follows = "("  # what the next group is
    for token in _TEX.findall(text) if "\\" in text else [text]:
        if token == "{":  # noqa: S105 -- a brace
            opened.append((len(parts), follows))
            parts.append({"(": "(", "frac": "((", "over": "(", "box": BOX}.get(follows, " "))
            follows = "("
        elif token == "}":  # noqa: S105 -- a brace
            start, kind = opened.pop() if opened else (0, " ")
            follows = "over" if kind == "frac" else "("
            if kind == "hide":
                parts[start:] = "\n" * "".join(parts[start:]).count("\n")
            parts.append({"(": ")", "frac": ")/", "over": "))", "box": CLOSE}.get(kind, " "))
        elif token[0] == "\\":
            follows = _command(token[1:].rstrip("*") or token[1:], parts)
        else:
            while follows in ("frac", "over") and (bare := token.lstrip()):
                parts.append(f"(({bare[0]})/" if follows == "frac" else f"({bare[0]}))")
                follows, token = "over" if follows == "frac" else "(", bare[1:]
            follows = follows if not token.strip() else "("
            parts.append(token)
    return "".join(parts).replace("&", " ") if "\\" in text else text


def _command(name: str, parts: list[str]) -> str:
    """Add what a command stands for; return what the group behind it is."""
    if name in ("boxed", "fbox") or name.endswith("frac"):
        return "box" if "box" in name else "frac"
    if name in _HIDDEN:
        return "hide"
    arrow = name.lower().endswith("rightarrow") or name == "implies"
    known = _COMMANDS.get(name, "\u2192" if arrow else " ")
    parts.append(f" {name}" if _NAMED.fullmatch(name) else known)
    return "words" if known == " " and name.isalpha() and not name.startswith(("left", "right", "big", "Big", "quad")) else "("


def in_signs(text: str) -> str:
    """Return a text with signs in place of words for operations.

    A step that goes on with the result of the one before has `RESULT` in its place.
    """
    text = _INFIX.sub(lambda m: f" {_SIGNS[m[1][:3].lower()]} ", text)
    return _EQUALS.sub(" = ", _VERB.sub(_written, text))


def _written(match: re.Match[str]) -> str:
    """Return a step in words as an expression."""
    verb, *numbers = match.groups()
    first, join, second = numbers[0] or numbers[1], numbers[2], numbers[3] or numbers[4]
    if join is None:
        return f"; {RESULT} {_SIGNS[verb[:3].lower()]} {first}" if first else match[0]
    x, y = first or RESULT, second or RESULT
    sign = _SIGNS[verb[:3].lower()]
    return f"; {y} {sign} {x}" if join == "from" else f"; {x} {sign} {y}"
