"""Writes steps in words as arithmetic: ``Add 3 and 5 to get 8`` is ``3 + 5 = 8``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from pddl_pipeline.translators.answers.countdown.tokens import IS, RESULT, START, VERBAL
from pddl_pipeline.translators.answers.denials import denies_step

_VERBAL: Final = re.compile(
    r"add|sum|subtract|minus|multipl|times|product|divid|quotient|differen|plus|take|taking"
    r"|start|begin|equal|\bis\b|gives|makes|yields|becomes|totals|results",
    re.IGNORECASE,
)
_B: Final = r"[\s*_`]{1,4}"
_NUMBER: Final = r"\(?-?\d+(?:/\d+|\.\d+)?\)?"
_REFERENCE: Final = (
    rf"(?:(?:the|that|this|our|your|my|previous|last|first|second|new|current|resulting|final){_B})"
    r"{0,3}(?:result|sum|total|product|difference|quotient|number|value|it|that|this|answer"
    rf"|{RESULT})\b(?:{_B}(?:of|from{_B}(?:before|above)))?"
)
_AMONG: Final = rf"(?:(?:the|a|an|remaining|other|last|number|numbers|value|both|my){_B}){{0,3}}"
# A number, a reference with or without its number: `8`, `the result (8)`, `that`.
_GROUP: Final = r"\([\d\s+*/.-]{3,60}\)"
_OPERAND: Final = (
    rf"(?:{_AMONG}(?P<n>{_NUMBER}|{_GROUP})|{_REFERENCE}[\s,]{{0,2}}\(?(?P<m>{_NUMBER})?\)?)"
)
_CLAIM_WORDS: Final = (
    "to|which|we|you|i|and|get|gets|getting|obtain|obtains|give|gives|giving|yield|yields|yielding"
    "|make|makes|making|result|results|resulting|in|is|are|equals|equal|leaves|leaving|leave|for|a"
    "|the|total|of|reach|reaches|reaching|us|that|this|it|have|has|final|target|answer|value|form"
    "|produce|produces|producing|becomes|become|new|number|will|can|as|so|now|with|at|our|arrive"
    "|sum|product|difference|quotient|desired|goal"
)
_CLAIM: Final = re.compile(
    rf"(?:[\s*_`,:=\u2192{IS}-]{{0,6}}\b(?:{_CLAIM_WORDS})\b){{0,9}}[\s*_`,:=\u2192{IS}]{{1,6}}"
    rf"(?P<claim>{_NUMBER})(?!\d|[.,]\d)(?!\s{{0,3}}[-+*/(\[x{IS}=]{{1,2}}\s{{0,3}}[\d(\[])",
    re.IGNORECASE,
)


def _operand(name: str) -> str:
    return _OPERAND.replace("<n>", f"<{name}n>").replace("<m>", f"<{name}m>")


_A, _C = _operand("a"), _operand("c")
_AND: Final = rf"(?:[\s,]{{0,2}}(?:and|to|with|plus|\+){_B}|\s{{0,2}}[+&]\s{{0,2}})"
_MANY: Final = rf"(?P<many>(?:[\s,]{{1,3}}{_NUMBER}){{0,8}},?)"
_BY: Final = rf"[\s,]{{0,2}}(?:by|and|with|times|\*|x|/){_B}"
# `Subtract 8 - 4 = 4` is in signs already.
_ENDS: Final = r"(?!\d|[.,]\d|\s{0,3}[-+*/x]\s{0,3}[\d(])"
_ADD: Final = rf"(?:add(?:ing|s|ed)?|sum(?:ming)?(?:{_B}of)?|combin(?:e|ing))"
_AWAY: Final = rf"(?:{_B}away)?{_B}from{_B}"
# With the stems of which a text must have one: searching a text for these is much faster.
_FORMS: Final[tuple[tuple[tuple[str, ...], re.Pattern[str], str, str], ...]] = tuple(
    (tuple(stems.split()), re.compile(rf"(?<![^\W_]){pattern}{_ENDS}", re.IGNORECASE), sign, order)
    for stems, pattern, sign, order in (
        ("add sum combin", rf"{_ADD}{_B}(?:up{_B})?{_A}{_MANY}{_AND}{_C}", "+", "ab"),
        ("add", rf"(?:add(?:ing|s|ed)?){_B}(?:on{_B})?{_A}", "+", "ra"),
        ("subtract tak", rf"(?:subtract(?:ing|s|ed)?|tak(?:e|ing)){_B}{_A}{_AWAY}{_C}", "-", "ba"),
        (
            "difference",
            rf"differences?{_B}(?:of|between){_B}{_A}[\s,]{{0,2}}and{_B}{_C}",
            "-",
            "ab",
        ),
        ("subtract", rf"from{_B}{_A}[\s,]{{0,2}}(?:we{_B}|i{_B})?subtract{_B}{_C}", "-", "ab"),
        ("subtract tak", rf"(?:subtract(?:ing|s|ed)?|tak(?:e|ing){_B}away){_B}{_A}", "-", "ra"),
        *(
            (stems, rf"(?:^|(?<=[,;.]\s)|(?<=\bthen\s)|(?<=\band\s)){words}{_B}{_A}", sign, "ra")
            for stems, words, sign in (
                ("plus", "plus", "+"),
                ("minus", "minus", "-"),
                ("times multiplied", "(?:times|multiplied by)", "*"),
                ("divided", "divided by", "/"),
            )
        ),
        ("multipl", rf"(?:multipl(?:y|ying|ies|ied)){_B}{_A}{_MANY}{_BY}{_C}", "*", "ab"),
        ("product", rf"products?{_B}of{_B}{_A}[\s,]{{0,2}}and{_B}{_C}", "*", "ab"),
        ("multipl", rf"(?:multipl(?:y|ying|ies|ied)){_B}(?:by|with){_B}{_A}", "*", "ra"),
        ("divid", rf"(?:divid(?:e|ing|es|ed)){_B}{_A}{_BY}{_C}", "/", "ab"),
        ("quotient", rf"quotients?{_B}of{_B}{_A}[\s,]{{0,2}}(?:and|by){_B}{_C}", "/", "ab"),
        ("divid", rf"(?:divid(?:e|ing|es|ed)){_B}by{_B}{_A}", "/", "ra"),
    )
)
_FIRST: Final = re.compile(
    rf"(?<![^\W_])(?:(?:start|begin)(?:ing|s)?{_B}(?:with|from|at|by{_B}taking)|take|taking){_B}"
    rf"{_AMONG}(?P<n>{_NUMBER})"
    rf"(?![\d(]|\s{{0,2}}[-+*/x=]|{_B}(?:away|from|times|plus|minus|and{_B}\d))",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    r"([\d)\]])[\s*_`]{1,4}(plus|added to|minus|less|times|multiplied by|divided by|over)"
    rf"[\s*_`]{{1,4}}(?=-?[\d(\[{RESULT}])",
    re.IGNORECASE,
)
_SIGNS: Final = {
    "plus": "+", "added to": "+", "minus": "-", "less": "-", "times": "*", "multiplied by": "*",
    "divided by": "/", "over": "/",
}  # fmt: skip
_IS: Final = re.compile(
    r"([\d)\]])[\s*_`]{0,4}(?:,\s)?(?:which\s|this\s|that\s|it\s|and\s|we\s|to\s){0,2}"
    r"(?:is equal to|evaluates to|is exactly|equals to|equals|equal|is|gives us|gives|give"
    r"|giving us|giving|makes|make|yields|totals|results in|resulting in|becomes|get|gets|obtain)"
    r"[\s*_`:]{1,4}"
    r"(?=-?\d|\()",
    re.IGNORECASE,
)


def in_signs(text: str) -> str:
    """Return a line with signs in place of words for operations.

    A step that continues with the result of the one before has `RESULT` in its place. Denied steps
    such as ``instead of adding 3 and 5`` stay as they are.
    """
    if not _VERBAL.search(text):
        return text
    text = _BETWEEN.sub(lambda m: f"{m[1]} {_SIGNS[m[2].lower()]} ", text)
    lower = text.lower()
    if "start" in lower or "begin" in lower or "tak" in lower:
        text = _FIRST.sub(rf" ; {START} \g<n> ; ", text)
    for stems, pattern, sign, order in _FORMS:
        if any(stem in lower for stem in stems):
            text = _written(text, pattern, _writer(sign, order))
    return _IS.sub(rf"\1 {IS} ", text)


def _writer(sign: str, order: str) -> Callable[[re.Match[str]], str]:
    """Return what writes a match as an expression: of both operands, or of the last result."""

    def write(match: re.Match[str]) -> str:
        a = _number(match, "a")
        if order == "ra":
            return f"{RESULT} {sign} {a}"
        b = _number(match, "c")
        many = re.findall(
            r"-?\d+(?:/\d+|\.\d+)?", match["many"] if "many" in match.groupdict() else ""
        )
        first, *rest = [a, *many, b] if order == "ab" else [b, a]
        return f" {sign} ".join([first, *rest])

    return write


def _number(match: re.Match[str], name: str) -> str:
    found = match[f"{name}n"] or match[f"{name}m"]
    if found is None:
        return RESULT
    if found[0] == "(" and len(found.split()) > 1:
        return found
    found = found.strip("()")
    return f"({found})" if "/" in found or found.startswith("-") else found


def _written(text: str, pattern: re.Pattern[str], write: Callable[[re.Match[str]], str]) -> str:
    """Replace each match, with the value that the words behind it claim."""
    parts, position = list[str](), 0
    while match := pattern.search(text, position):
        before = text[position : match.start()]
        if denies_step(text[max(0, match.start() - 60) : match.start()].lower()):
            parts.append(text[position : match.end()])
            position = match.end()
            continue
        claim = _CLAIM.match(text, match.end())
        value = f" = {claim['claim'].strip('()')}" if claim else ""
        parts += [before, f" ; {VERBAL}", write(match), value, " ; "]
        position = claim.end() if claim else match.end()
    return "".join([*parts, text[position:]]) if parts else text
