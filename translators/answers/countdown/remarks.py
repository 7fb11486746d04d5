"""What an answer says about its statements: retracted, denied, another attempt, a check."""

from __future__ import annotations

import re
from typing import Final

_HERE: Final = r"(?:^|[.!?:;,)\u2014\u2192]|\s-)[\s*_#>`-]{0,8}(?:but\s|oh,?\s|no,?\s|so\s)?"
_REDO: Final = (
    r"reconsider|re-?think|re-?do|re-?try|re-?calculate|re-?compute|re-?evaluate|re-?examine|revise"
    r"|try (?:again|another|a different|something|other|different|once more)|start (?:over|again)"
    r"|correct (?:that|this|it|my)|fix (?:that|this|it|my)|think again|look again|go back"
)
_THAT: Final = r"(?:that|this|it|which|the (?:above|previous|first|last))"
_BAD: Final = (
    r"wrong|incorrect|invalid|not (?:right|correct|valid|allowed|it|quite right|what)|a mistake"
    r"|an error"
)
RETRACTION: Final = re.compile(
    rf"{_HERE}(?:wait\b(?! for)|hold on\b|no(?=[,.!]|\s?wait|\s-)|nope\b|oops\b|whoops\b"
    r"|sorry\b|apologies\b|my (?:mistake|apologies|bad)\b|correction\b|scratch that\b|never mind\b"
    r"|on second thoughts?\b|actually,?\s(?!(?:it|that|this) (?:works|is (?:right|correct))))"
    rf"|\b(?:let me|let's|let us|i(?:'ll| will| should| must| need to)|we should) (?:{_REDO})"
    r"|\bi (?:apologi[sz]e|(?:made|see) (?:a|an|my) (?:mistake|error)|was wrong|misread"
    r"|miscalculated)"
    rf"|\b{_THAT}(?:\s\w+)?(?:'s| is| was| isn't| gives)? (?:{_BAD})\b"
    r"|\b(?:doesn't|does not|didn't|did not|won't) work\b",
    re.IGNORECASE,
)
"""Words that take back what stands before them, if another answer follows."""
_ATTEMPT: Final = re.compile(
    rf"{_HERE}(?:alternatively\b|alternative\b|instead\b|another (?:way|attempt|approach|option"
    r"|solution|try|idea)\b|(?:attempt|option|try|solution|method|approach|way|idea) (?:\d"
    r"|[a-d]\b|one|two|three|four)"
    r"|(?:try|trying|what about|how about|maybe|or|let's try|let me try|next try)\s)",
    re.IGNORECASE,
)
_CHECK: Final = re.compile(
    r"(?:^|[.!;:)\u2713\u2705])[\s*_#>`(-]{0,8}(?:(?:to|let me|let's|let us|we|i|quick|sanity"
    r"|double[- ])\s{0,3}){0,3}(?:can\s{1,3}|will\s{1,3})?"
    r"(?:verification|verify|verifying|check|checking|proof|confirm|confirming|double-check)\b"
    r"[^.:\n\d]{0,40}[\s*_`]{0,4}(?:[:.,]|$)",
    re.IGNORECASE,
)
_DENIED_BEHIND: Final = re.compile(
    r"[\s.,;:?(*_`-]{0,6}(?:(?:but|which|that|this|it|and|so|hmm|oh|still|also|'s|is|was|gives|just"
    r"|only|again|already|close|to)[\s,]{1,2}){0,5}"
    r"(?:no(?=\s{0,2}(?:[.,!;:)]|$))|nope\b|wrong\b|incorrect\b|invalid\b|isn't|doesn't|does not\b"
    r"|not (?:\d{1,9}\b(?!\s?[-+*/(x.\d])"
    r"|equal|right|correct|the target|what|valid|enough|allowed|possible|quite|our"
    r"|a solution|it\b|good|working)|too (?:high|low|big|small|large|much|little|far)|fails?\b"
    r"|not\s{0,3}[.)!]"
    r"|\u2260|\u2717|\u2718|\u274c|\U0001f6ab|\u274e)",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(r"[\s*_`)\"']{0,6}\?[\s*_`)\"']{0,6}$")
_ANSWERED_NO: Final = re.compile(
    r"[\s*_`)\"']{0,6}\?[\s*_`)(\"'-]{0,6}(?:no|nope)\b", re.IGNORECASE
)
_NO: Final = re.compile(r"\W{0,8}(?:no|nope)\b", re.IGNORECASE)
_DENIAL: Final = re.compile(
    r"\b(?:not(?! only)|no(?!\s?:)|never|cannot|wrong|incorrect|invalid|impossible|false"
    r"|fail(?:s|ed)?|error|without|avoid|rather than)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_NO_DENIAL: Final = re.compile(
    r"\b(?:need|necess|requir|hard|difficult|problem|doubt|only|other|more|left|remain|surpris|trick"
    r"|obvious|long|easy|simple|forget|repeat)",
    re.IGNORECASE,
)
_LONGEST_LABEL: Final = 16
_CLAUSE: Final = re.compile(r"[.,;!?\u2014\n]|\bbut\b|\bso\b|\bthen\b|\binstead\b")
_ANY: Final = re.compile(
    r"\b(?:wait|hold|no|nope|oops|whoops|sorry|apolog|mistake|my|correction|scratch|never|on second"
    r"|actually|re-?|let|try|trying|wrong|incorrect|invalid|not|n't|work|alternative|instead|another"
    r"|attempt|option|solution|method|approach|way|idea|what about|how about|maybe|or|misread"
    r"|miscalc|error|cannot|without|avoid|false|fail|impossible|rather)|n't\b",
    re.IGNORECASE,
)


def takes_back(text: str) -> bool:
    """Return whether a text may take back or deny a statement, or begin another attempt."""
    return _ANY.search(text) is not None


def attempts_in(text: str) -> list[int]:
    """Return where a line takes back what stands before, or begins another attempt."""
    found = [match.end() for form in (RETRACTION, _ATTEMPT) for match in form.finditer(text)]
    return sorted(found)


def retractions_in(text: str) -> list[int]:
    """Return where a line takes back what stands before."""
    return [match.end() for match in RETRACTION.finditer(text)]


def check_in(text: str) -> int | None:
    """Return where a line announces a check of the answer, or None."""
    match = _CHECK.search(text)
    return None if match is None else match.start()


def asks(text: str, end: int) -> bool:
    """Return whether a line ends with a question mark right behind a statement."""
    return _QUESTION.match(text, end) is not None


def answers_no(text: str) -> bool:
    """Return whether a line begins with ``No``, the answer to a question in the line before."""
    return _NO.match(text) is not None


def answered_no(text: str, end: int) -> int | None:
    """Return where a ``No`` ends that answers the question behind a statement, or None."""
    match = _ANSWERED_NO.match(text, end)
    return None if match is None else match.end()


def denied_behind(text: str, end: int) -> bool:
    """Return whether the words behind a statement deny it: ``= 23, too low``."""
    return _DENIED_BEHIND.match(text, end) is not None


def denied_ahead(text: str, begin: int, start: int) -> bool:
    """Return whether the clause before a statement denies it: ``you can't do 3+4``.

    Args:
        text: the line.
        begin: the end of the statement before it, or 0.
        start: the start of the statement.
    """
    before = text[max(begin, start - 200) : start]
    if len(before) <= _LONGEST_LABEL and before.rstrip().endswith("."):
        return _DENIAL.search(before) is not None  # `Wrong. 3+4`
    clause = _CLAUSE.split(before)[-1]
    return _DENIAL.search(clause) is not None and _NO_DENIAL.search(clause) is None
