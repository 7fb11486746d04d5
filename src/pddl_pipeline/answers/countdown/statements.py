"""Finds the statements in a text: expressions with the values stated for them, chains, names."""

from __future__ import annotations

import re
from bisect import bisect_right
from html import unescape
from itertools import islice, pairwise
from typing import Final, NamedTuple
from unicodedata import normalize

from pddl_pipeline.answers.countdown.expression import worked_out
from pddl_pipeline.answers.countdown.steps import Claim, Start, Statement
from pddl_pipeline.model.operations import operand_text

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


_KINDS: Final = {
    "n": r"\d{1,3}(?:,\d{3})+(?!\d|,\d)|\d+(?:\.\d+){0,3}",
    "a": r"[-=]{1,2}>|→",
    "u": r"≠|!=",
    "e": r"={1,3}",
    "q": r"≈|~=?",
    "f": r"\*\*|//|[\^√]|%(?=\s?[\d(])",
    "d": "/",
    "s": r"[-+*]",
    "g": r"[²³]|!(?=\s?[-+*/)^=\n]|$)",
    "o": r"[(\[{]",
    "c": r"[)\]}]",
    "r": RESULT,
    "w": r"[^\W\d_](?:\w|'\w)*",
    "l": r"\n",
    "p": r"[^\s`_]",
}
"""Kinds of tokens. Furthermore, N is a number behind an operand and a blank, k such a parenthesis,
v a name that has a value, F the name of a function."""
_TOKEN: Final = re.compile("|".join(f"(?P<{kind}>{form})" for kind, form in _KINDS.items()))
_AHEAD, _OPERAND = "[sdfokF]*+", "[nNvr][cg]*+"
_E: Final = f"{_AHEAD}{_OPERAND}(?:(?:[sdfok]{_AHEAD}{_OPERAND}|(?<=c)n[cg]*+))*+"
_VALUE: Final = _E.replace("[sdfok]", "[sdfo]")
_CHAIN: Final = re.compile(
    rf"(?<![sdfokF]){_E}(?:(?:[eq]{_VALUE})++|a(?:s?n|ndn)(?![sdfeqnkoa]))?[sdfF]*+"
)
_OPERATES: Final = re.compile(r"[nNvrcg][sdfokF]|cn|[fF]")
# `= 8 (8)`, `3 + 5 (8)`: the number in parentheses is the value.
_ASIDE: Final = re.compile(r"k([nN])c(?![sdfeqnNkov])")
MOST_CHAINS: Final = 5_000
"""Maximum number of numbers and expressions between words that are read."""
_LABEL: Final = re.compile(
    r"^(\W{0,6}\(?\d{1,2}\)(?=\s{1,3}\()|.{0,9}\b(?:step|option|way|solution) \d+ -)",
    re.IGNORECASE | re.MULTILINE,
)
_NAME: Final = re.compile(r"\b([^\W\d]\w{0,30}) ?=(?!=)")
_SAME: Final = str.maketrans("[]{}xX", "()()**", ",")
_PRINTS: Final = frozenset(("print", "eval", "str", "f"))


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Statements:
    """The statements of a text, in order."""

    def __init__(self, text: str, start: Start) -> None:
        self.found: list[Statement] = []
        self._text = text
        self._wanted = tuple(sorted(start.numbers.values()))
        self._tokens = _tokens(_LABEL.sub(lambda match: " " * len(match[0]), text))
        self._kinds = "".join([token.kind for token in self._tokens])
        self._kinds = _ASIDE.sub(r"e\1p", self._kinds)
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._names: dict[str, str] = {}
        self.chains = 0
        """Number of chains that were looked at."""
        self._bullets = len(re.findall(r"^.*\d", text, re.MULTILINE)) > 1
        for match in islice(_CHAIN.finditer(self._kinds), MOST_CHAINS):
            self.chains += 1
            self._read(*match.span())

    def _read(self, first: int, last: int) -> None:
        """Add the statements of a chain of tokens."""
        kinds, tokens = self._kinds, self._tokens
        first, running = self._begin(first)
        while kinds[last - 1] in "sdfF" and not self._dangles(first, last):
            last -= 1
        cuts = [first - 1, *(at for at in range(first, last) if kinds[at] in "eqa"), last]
        parts = [(one + 1, other) for one, other in pairwise(cuts)]
        name = tokens[first].text if kinds[first] == "v" and parts[0] == (first, first + 1) else ""
        parts = parts[1:] if name and len(parts) > 1 else parts
        claims = [Claim(self._written(*part), kinds[part[0] - 1] == "q") for part in parts]
        if running:
            claims[0] = Claim(f"{self._last()} {claims[0].text}")
        signs = [_OPERATES.search(kinds[one:other]) is not None for one, other in parts]
        signs[0] |= running
        line = bisect_right(self._ends, tokens[first].start) + 1
        place = line, tokens[first].start, tokens[last - 1].end
        if any(signs):
            self._add(claims, signs, place)
        if name and len(cuts) > 2:
            self._names[name] = self._value(claims[signs.index(True) if any(signs) else 0].text)

    def _begin(self, first: int) -> tuple[int, bool]:
        """Return where a chain begins, without a bullet, and whether it goes on with a result."""
        sign, before = self._tokens[first], self._kinds[first - 1 : first]
        if sign.kind not in "sd" or before in tuple("nNcv"):
            return first, False
        ahead = not before or before in "lp"
        if ahead and self.found and re.match(r"..e", self._kinds[first : first + 3]):
            return first, True
        spaced = self._tokens[first + 1].start > sign.end
        minus = sign.text == "-" and not (spaced and (self._bullets if ahead else before == "w"))
        return first if minus else first + 1, False

    def _dangles(self, first: int, last: int) -> bool:
        """Return whether the sign at the end of a chain is more than a dash or Markdown."""
        sign, behind = self._tokens[last - 1].text, self._kinds[last : last + 1]
        styled = self._tokens[first - 1].text in ("*", "**") if first else False
        ends = behind in ("", "l") and not styled and "e" not in self._kinds[first:last]
        return sign in ("+", "/") or (ends and sign in ("-", "*"))

    def _written(self, first: int, last: int) -> str:
        """Return the text of an expression, with values in place of names."""
        words: list[str] = []
        for at in range(first, last):
            kind, text, begin, _ = self._tokens[at]
            if kind == "v":
                text = self._names.get(text, text)
            elif kind == "r":
                text = self._last()
            elif kind != "F":
                text = text.translate(_SAME)
            words += [" ", text] if at > first and begin > self._tokens[at - 1].end else [text]
        return "".join(words).rstrip("!")

    def _last(self) -> str:
        return self._value(self.found[-1].text) if self.found else "?"

    @staticmethod
    def _value(text: str) -> str:
        """Return the value of an expression as an operand; the text itself if it has none."""
        worked = worked_out(text)
        value = None if worked is None else worked.value
        if value is None:
            return text
        return operand_text(value) if value.numerator >= 0 else f"({value})"

    def _add(self, claims: list[Claim], signs: list[bool], place: tuple[int, int, int]) -> None:
        """Add the statement of a chain; of a running chain, each of its steps."""
        line, start, end = place
        steps = [at for at, sign in enumerate(signs) if sign]
        whole = [at for at in steps if self.is_whole(claims[at].text)]
        if not whole and self._runs([claims[at].text for at in steps]):
            for at, after in pairwise((*steps, len(claims))):
                told = tuple(claims[at + 1 : after])
                self.found.append(Statement(line, claims[at].text, told, start, end))
            return
        at = (whole or steps)[0]
        text, told = claims[at].text, (*claims[:at], *claims[at + 1 :])
        before = self.found[-1] if self.found else None
        alone = before is not None and before.line == line and not before.claims
        if before and alone and self._text[before.end : start].isspace():
            text = f"{self.found.pop().text} {text}"  # no sign between two expressions
        listed = Statement(line, text.removeprefix("- "), told, start, end)
        worked = worked_out(listed.text) if listed.text != text and told else None
        bullet = worked is not None and listed.false_claim(worked.value) is None
        self.found.append(listed if bullet else listed._replace(text=text))

    def is_whole(self, text: str) -> bool:
        """Return whether an expression uses every number of the task once."""
        worked = worked_out(text)
        return worked is not None and worked.numbers == self._wanted

    def _runs(self, steps: list[str]) -> bool:
        """Return whether each step begins with the result of the one before: 3+5 = 8-4 = 4."""
        values = [self._value(text) for text in steps]
        begun = all(
            re.match(rf"{re.escape(value)}(?!\d)", after)
            for value, after in zip(values, steps[1:], strict=False)
        )
        return begun and len(steps) > 1 and len(set(values)) > 1


def _tokens(text: str) -> list[_Token]:
    """Return the tokens of a text. Parentheses around more than arithmetic are punctuation."""
    tokens: list[_Token] = []
    names = {match[1] for match in _NAME.finditer(text)}
    opened: list[int] = []
    pure = [True]
    equal = False
    for match in _TOKEN.finditer(text):
        kind, before = match.lastgroup or "p", tokens[-1] if tokens else None
        behind = before is not None and before.kind in "nNvrcg"
        spaced = before is not None and match.start() > before.end
        if kind == "w":
            kind = _word(match, before, names, behind=behind)
        elif kind in "on" and behind and spaced:
            kind = "k" if kind == "o" else "N"
        elif kind == "c":
            clean = pure.pop() if opened else not equal
            begin = opened.pop() if opened else -1
            kind = "c" if clean and behind else "p"
            if kind == "p" and begin >= 0:
                tokens[begin], pure[-1] = tokens[begin]._replace(kind="p"), False
        elif kind == "e" and "".join([each.kind for each in tokens[-2:]])[:1] in tuple("nNvcg"):
            del tokens[len(tokens) - (tokens[-1].kind == "l") :]  # the line above goes on
        if kind in "ok":
            opened.append(len(tokens))
            pure.append(True)
        elif kind in "equwlap":
            pure[-1] = False
        if kind == "l":
            opened, pure = [], [True]
        equal = kind == "e" or (equal and kind != "l")
        tokens.append(_Token(kind, match[0], *match.span()))
    return tokens


def _word(match: re.Match[str], before: _Token | None, names: set[str], *, behind: bool) -> str:
    """Return the kind of a word: a times sign, a name with a value, a function, or a word."""
    text, after = match[0], match.string[match.end() : match.end() + 3]
    if text in names:
        near = before is not None and before.kind in "sdfoke"
        return "v" if near or after.lstrip()[:1] in tuple("+-*/=)") else "w"
    if text in "xX" and behind and re.match(r"\s*[\d(\[{]", after):
        return "s"
    calls = after.startswith("(") and text.lower() not in _PRINTS
    return "F" if calls else "w"
