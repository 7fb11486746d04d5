"""Finds the statements in a text: expressions with the values stated for them, chains, names."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice, pairwise
from typing import Final, NamedTuple

from pddl_pipeline.answers.countdown.expression import worked_out
from pddl_pipeline.answers.countdown.signs import RESULT
from pddl_pipeline.answers.countdown.start import Start
from pddl_pipeline.answers.countdown.steps import Claim, Statement
from pddl_pipeline.model.operations import operand_text

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
