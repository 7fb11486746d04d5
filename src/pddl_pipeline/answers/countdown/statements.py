"""Finds the statements in a text: expressions with the values stated for them."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from pddl_pipeline.answers.countdown.expression import number_of, worked_out
from pddl_pipeline.answers.countdown.steps import Start, Statement
from pddl_pipeline.answers.lines import visible

OPEN, CLOSE, LABEL, BOX, BULLET = "\ue000\ue001\ue002\ue003\ue004"
"""Marks: the start and the end of a tagged answer, a label such as ``Answer:``, a box, a dash
before an item, which may be a sign."""
MOST_CHAINS: Final = 5_000
"""Maximum number of numbers and expressions between words that are read."""
_TABLE: Final = {
    **dict.fromkeys(map(ord, "\u00d7\u00b7\u22c5\u2217\u2219\u2715\u2716\u2a2f"), "*"),
    **dict.fromkeys(map(ord, "\u00f7\u2215\u2044\u2797"), "/"),
    **dict.fromkeys(map(ord, "\u2212\u2013\u2010\u2011"), "-"),
    **dict.fromkeys(map(ord, "`$\u00a0\u202f\u2009\u3000"), " "),
    **{0xFEE0 + code: code for code in range(0x21, 0x7F)},  # full-width signs
    **dict.fromkeys(map(ord, f"{OPEN}{CLOSE}{LABEL}{BOX}{BULLET}")),
    0x2019: "'", 0xBC: "(1/4)", 0xBD: "(1/2)", 0xBE: "(3/4)", 0x2153: "(1/3)", 0x2155: "(1/5)",
}  # fmt: skip
_LEAD: Final = rf"[ \t*_]{{0,6}}[-(\d\[{{{BOX}][^\n]*[-+*/(]"
_NESTED: Final = (
    (r"\\[dtc]?frac\s?(?:\{([^{}]*)\}|(\d))\s?(?:\{([^{}]*)\}|(\d))", r"((\1\2)/(\3\4))"),
    (r"\\boxed\s?\{\s*(-?\d+)\s*\}|\\text\s?\{([^{}]*)\}", r" \1\2 "),
    (r"\\boxed\s?\{([^{}]*)\}", rf"{BOX}\1{CLOSE}"),
)
_GROUPED: Final = (
    r"(?<![\d.,])(?:(?<!=)(?<!= )|(?=[\d,]+[ \t]*(?:[^-+*/\d \t,]|$)))"
    r"(\d{1,3}),(\d{3})(?:,(\d{3}))?(?![\d,])"
)
"""`1,000`; in `100+25=125,125*8`, the comma stands between two numbers."""
_LABELED: Final = (
    r"(?:^[ \t]{0,3}#{4}(?=[ \t]{0,3}[-(\d])|(?<![\w-])(?<!\bno )(?:final[ _](?:answer"
    r"|expression|equation|solution|result)|final|answer|solution"
    r"|expression|equation|result)\b)[ \t*_\"']{0,4}"
    r"(?:(?:is|becomes)?[ \t*_]{0,4}[:=](?:[*_]{1,3}(?=\s))?"
    rf"|(?! \d{{1,2}}[:.)])(?: is)?(?= (?:is )?{_LEAD}|[ \t*_#]*$))"
)
_EQUALS: Final = (
    r"(?<=[\d)])[ \t,]{0,3}(?:which )?(?:is|equals?|gives|giving|makes|yields|to get|leaves)"
    r" (?:exactly |equal to )?(?=-?\d)"
)
_ITEM: Final = (
    r"^[ \t>]*(?:[\u2022#]{1,6}[ \t]+|[-*+] (?=\d{1,2}[.)] ))?"
    r"\**\(?(?:\d{1,2}|[a-z])[.)]\**(?=[ \t])"
)
_ARROW: Final = r"[ \t]*(?:[\u2192\u21d2]|[-=]>)[ \t]*"
_NUMERAL: Final = r"(?=\(|-?\d+(?![/\d]))"
_REWRITES: Final = [
    (needle, re.compile(pattern, re.IGNORECASE | re.MULTILINE), put)
    for needle, pattern, put in (
        ("~~", r"~~[^~\n]{1,500}~~", " "),
        ("&", r"&minus;", "-"),
        ("&", r"&times;", "*"),
        ("&", r"&divide;", "/"),
        ("\\", r"\\n(?=[\W\d])", " ; "),
        ("\\", r"&=", "="),
        ("\\", r"\{,\}", ","),
        ("\\", r"\\(?:times|cdot)(?![A-Za-z])|\\\*", "*"),
        ("\\", r"\\div(?![A-Za-z])", "/"),
        ("\\", r"\\approx(?![A-Za-z])", "\u2248"),
        ("\\", r"\\\\", " ; "),
        ("\\", r"[ \t]?\\(?:left|right|big[glr]*)(?![A-Za-z])", ""),
        ("\\", r"\\(?:begin|end)\{\w+\*?\}|\\[^A-Za-z{}]", ""),
        *[("\\", *each) for _ in range(8) for each in _NESTED],
        # The operation and its result in JSON; other keys; cells of tables.
        ('":', r'(?<=[\d)])"\s*,\s*"(?:result|value)"\s*:\s*"?(?=-?\d)', " = "),
        ("|", r"(?<=[\d)])[ *]*\|[=| \t*]*(-?\d[\d.,]*(?:/\d+)?)[ *]*(?=\|)", r" = \1 "),
        ("", rf"{_ARROW}(?=-?\d+(?:(?![ \t]*[-+*/\d]|[.,]\d)|/\d+[ \t.;]*$))", " = "),
        ("", _ARROW, ";"),
        (",", _GROUPED, r"\1\2\3"),
        # `**` is a power only between two operands.
        ("**", r"(?<![\d)])(?<![\d)] )\*\*|\*\*(?! ?[-\d(])|(?<! )\*\*(?= )|(?<= )\*\*(?! )", " "),
        ("", r"(?<=[\d)\]])([ \t]{0,9})x(?=[ \t]{0,9}[\d(\[])", r"\1*"),
        ("plus", rf"(?<=[\d)]) plus {_NUMERAL}", "+"),
        ("\u2248", r"\u2248[ \t]{0,3}(?=-?\d+(?![\d.]))", "="),
        ("\u2261", r"\u2261[ \t]{0,3}(?=-?\d+(?![\d.]|[ \t]{0,3}\(?mod))", "="),
        ("\u2248", r"\u2248[ \t]{0,3}-?\d+\.\d+", " "),
        (
            "=",
            r"(?<![\w.*+/-])(?:[xyzn]|result|target|value)[ \t]{0,3}=(?=[ \t]{0,3}[-(\d])",
            " ",
        ),
        ("minus", rf"(?<=[\d)]) minus {_NUMERAL}", "-"),
        ("", rf"(?<=[\d)]) (?:times|multiplied by) {_NUMERAL}", "*"),
        ("divided", rf"(?<=[\d)]) divided by {_NUMERAL}", "/"),
        ("<", r"<(?:answer|plan|solution|result|final_answer|final|output)>", OPEN),
        ("<", r"</(?:answer|plan|solution|result|final_answer|final|output)>", CLOSE),

        ("<", r"</?(?!s>|del>|strike>)\w{1,12}\s?/?>", " ; "),
        ("", _LABELED, LABEL),
        ('":', r'"(\w{1,30})"\s*:', r" \1 ; "),
        ("", _EQUALS, " = "),
        # Marks of items, numbered labels, and calls that change nothing.
        ("", _ITEM, " "),
        ("", r"\b(?:step|option|solution|way) \d{1,2}\b[ \t]*[-:.)]?|^[^\W\d]+ \d{1,2} :", " "),
        ("|", r"^\|[ \t]*\d{1,2}[ \t]*\|", " "),
        ("(", r"\b(?:print|eval)(?=\([\d(\"])|\(\d{1,2}x\)", " "),
        (":", r"(?<=[\d)]) : (?=[\d(])|(?<=\d\)):(?=\d)|(?<=\)\)):(?=[\d(])", "/"),
        (":", r"\b(?:multiply|add|subtract|divide)\b[^\n:=]{0,40}:(?=[ \t]*[\d(])", " "),
    )
]  # fmt: skip
"""What is replaced, in this order, in texts with a sign: the sign, a pattern, its replacement."""
_FENCE: Final = re.compile(r"```[a-z]{0,12}\n([^`]{1,2000})\n[ \t]{0,9}```")
_BLANKS: Final = re.compile(r"[ \t]{4,}")
_DASH: Final = re.compile(r"^[ \t>]*[-*+] +", re.MULTILINE)
_SPLIT: Final = re.compile(r"[(\[{]|[)\]}]|[^-+*/\d. \t^%!()\[\]{}]+")
_SIGN: Final = r"(?:\*\*|//|[-+*/^%])[ \t]{0,9}"
_AHEAD: Final = rf"(?:{_SIGN}|[(\[{{\u221a][ \t]{{0,9}}|[^\W\d]\w{{0,30}}\([ \t]{{0,9}}){{0,60}}+"
_OPERAND: Final = r"\d+(?:\.\d+)*(?:[ \t]{0,9}[)\]}]|[\u00b2\u00b3]|!(?=[ \t]{0,9}[-+*/)^=]))*+"
_PART: Final = (
    rf"{_AHEAD}{_OPERAND}(?:(?:[ \t]{{0,9}}{_SIGN}|(?=[(\[{{])|(?<=[)\]}}])(?=\d))"
    rf"{_AHEAD}{_OPERAND})*+"
)
_CHAIN: Final = re.compile(rf"(?<![\w.]){_PART}(?:\s{{0,9}}={{1,3}}\s{{0,9}}{_PART})*+", re.ASCII)
_LONG: Final = 2_000
"""Length of expressions that are not looked into."""
_EQUAL: Final = re.compile(r"\s*=+\s*")
_OPERATES: Final = re.compile(r"\d[^-+*/^%(\[{\d]*[-+*/^%(\[{]\D*\d|[)\]}]\d|[^-\d.()\[\]{}\s]")
# What stands beside an expression that goes on in a way that is not read, and beside a number.
_BEHIND: Final = re.compile(r"[ \t]{0,9}[-+*/^%=\u221a()\[\]{}\d]|\w|[.,']\d")
_BEHIND_NUMBER: Final = re.compile(r"[ \t]{0,9}[-+*/^%=\u221a([{]")
_BEFORE: Final = re.compile(r"(?:[-+*/^%\u221a\d)\]}]|\d[ \t]{1,9}:)[ \t]{0,9}\Z|(?:[,.]|\d[:'])\Z")
_BEFORE_NUMBER: Final = re.compile(r"[-+*/^%\u221a][ \t]{0,9}\Z")
_SAME: Final = str.maketrans("[]{}", "()()")
CHANGES: Final = re.compile(
    r"\b(?:undo|redo|repeat|reverse|revert|where|plus|minus|times|add(?:ed|ing)?|subtract\w*"
    r"|multipl(?:y|ies|ied|ying)|divide\w*|over|squared?|halv\w+|double[ds]?(?!-)|lower\w*|rais\w+|increas\w+"
    r"|decreas\w+|reduc\w+|by -?\d+)\b|</?\w|\\[A-Za-z{}]|[-+*/]=|[\u2190-\u21ff\u2248\u2261"
    r"\u2715\u2716\u2795-\u2797\u27a1\u2150-\u218f]|(?![0-9])\d"
    r"|(?<!\w)[a-z_]\w{0,30}[ \t]*[+*/][ \t]*[\w(]|\([ \t]?[-+*/][ \t]?[a-z]"
    r"|\b[a-z]\d?[ \t]*=|=[ \t]*[^\W\d_]\w*[ \t]*-",
    re.IGNORECASE,
)
"""Words and signs that may change a statement in a way that is not read."""


def plain(text: str) -> str:
    r"""Return a text with keyboard signs, `OPEN` and other marks, and the same line ends.

    ``\boxed{…}`` becomes `BOX` … `CLOSE`; a box with a number states the result of an expression.
    """
    text = visible(text).replace("\r\n", "\n").replace("\r", "\n").partition("<think>")[0]
    if "```" in text:
        text = _FENCE.sub(r"<answer>\n\1\n</answer>", text)
    text = _BLANKS.sub("   ", text.translate(_TABLE))
    for needle, pattern, put in _REWRITES:
        if needle in text:
            text = pattern.sub(put, text)
    return _DASH.sub(BULLET, text)


class Statements:
    """The statements of a text with keyboard signs, in order."""

    def __init__(self, text: str, start: Start) -> None:
        self.found: list[Statement] = []
        self.cut: list[Statement] = []
        """Statements that go on in a way that is not read, or may be several."""
        self.said: list[Statement] = []
        """Numbers outside statements."""
        self._wanted = tuple(sorted(start.numbers.values()))
        self._list = text.count(BULLET) > 1
        self._text, line, last = _without_remarks(text), 1, 0
        for match in islice(_CHAIN.finditer(self._text), MOST_CHAINS):
            line, last = line + text.count("\n", last, match.start()), match.start()
            self._add(match, line)

    def _add(self, match: re.Match[str], line: int) -> None:
        """Add a chain to the list that it belongs to."""
        (begin, end), text = match.span(), self._text
        parts = _EQUAL.split(match[0].translate(_SAME))
        operating = [part for part in parts if len(part) > _LONG or _OPERATES.search(part)]
        whole = [part for part in operating if self.is_whole(part)]
        main = (whole or operating or parts)[0]
        at = parts.index(main)
        found = Statement(line, main, (*parts[:at], *parts[at + 1 :]), begin, end)
        before, is_number = text[max(0, begin - 20) : begin], parts == [main] and not operating
        mark, worked = before.rstrip()[-1:], worked_out(main)
        # In `4 * 5 = 20 / 20 = 1`, the division is a step; in `4 / 6 = 2/3`, it is a number.
        steps = [each for each in operating[1:] if str(number_of(each)) != each.replace(" ", "")]
        if whole and operating[0] is not main and worked is not None:
            other = worked_out(operating[0])
            whole = whole if other is not None and other.value == worked.value else []
        dashed = parts[0][:2] == "- " and mark not in (OPEN, LABEL, BOX)
        if mark == BULLET and found.claims:
            dashed = worked is None or found.false_claim(worked.value) is not None
        elif mark == BULLET:
            dashed = not self._list
        power = text[end : end + 1] == "!" and parts == [main] and operating
        around = (
            _BEHIND_NUMBER.match(text, end) or _BEFORE_NUMBER.search(before)
            if is_number
            else _BEHIND.match(text, end) or _BEFORE.search(before) or not operating
        )
        if dashed or power or around or (steps and not whole):
            self.cut.append(found)
        else:
            (self.said if is_number else self.found).append(found)

    @property
    def count(self) -> int:
        """The number of expressions and numbers."""
        return len(self.found) + len(self.cut) + len(self.said)

    def is_whole(self, text: str) -> bool:
        """Return whether an expression uses every number of the task once."""
        worked = worked_out(text)
        return worked is not None and worked.numbers == self._wanted


def _without_remarks(text: str) -> str:
    """Return a text with signs for pauses in place of parentheses around more than arithmetic."""
    signs, opened, other = list(text), list[int](), -1
    for match in _SPLIT.finditer(text):
        at, sign = match.start(), match[0]
        if sign in "([{":
            opened.append(at)
        elif sign not in ")]}":
            other = at
        elif opened:
            begin = opened.pop()
            if other > begin:
                signs[begin] = signs[at] = ";"
    return "".join(signs)
