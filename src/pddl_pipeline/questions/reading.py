"""Readers of answers to questions.

Answers are untrusted: every function takes time linear in their length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from pddl_pipeline.answers.lines import LONGEST, visible
from pddl_pipeline.answers.marks import after_stated, last_tagged, without_thinking
from pddl_pipeline.questions.question import Mark, Question, right_if, unreadable

NOT_AN_OPTION: Final = "not-an-option"
"""The mistake of an answer that names an action or atom outside the options (SimPlan, table 5)."""
GROUP: Final = re.compile(r"\(\s{0,9}([^\s()][^()]{0,300})\)")
NONE: Final = "none"
"""The answer that there is no such atom or action."""
_NONE: Final = re.compile(rf"\b{NONE}\b")
_MARKDOWN: Final = re.compile("[*`#]")
_NO_QUOTES: Final = str.maketrans({",": " ", "'": None, '"': None, "`": None})
_LIST: Final = re.compile(r"\[([^\[\]]*)\]")
_NO_LIST: Final = re.compile(r"[^\s,()\"']")
_LABEL: Final = re.compile(r"\b(pos|neg)")
_NUMBER: Final = re.compile(r"(?<![\w.+-])\d{1,9}(?![\w-])(?!\.\d)")
_REASON: Final = re.compile(r"[.;,!](?:\s|$)|\b(?:because|since|as)\b")
"""The end of what an answer states on its line."""
_DENIAL: Final = re.compile(
    r"\b(?:not|cannot|never|neither|nor|inapplicable|incorrect|invalid|impossible|wrong"
    r"|false)\b|n['\u2019]t\b"
)
_REJECTED: Final = re.compile(
    r"(?:\bnot|n['\u2019]t|\bcannot|\bnever|\bneither|\bnor)"
    r"\s(?:be\s)?(?:step\s)?(?:\d{1,9}\b|\([^()]{1,300}\))"
)
_POSITION: Final = re.compile(
    r"(?:the )?(?:correct )?(?:answer is |i choose )?(?:option |goal |action )?"
    r"\(?([a-d]|\d)(?:\)|[.:](?!\d)|$)"
)


def readings(text: str, *, short: bool = False) -> Iterator[str]:
    """Yield the parts of a text that may be the answer, the likeliest first, in lower case.

    The parts are the content of the last ``<answer>``, the text after the last ``answer:`` or
    ``state:``, and the whole text. Markdown marks, invisible characters and thoughts in ``<think>``
    are removed. If a ``<think>`` is not closed, everything after it is removed.

    Args:
        text: the answer.
        short: whether the answer is a few words. Then the line of ``answer:`` comes first, without
            the reason behind it, so that an explanation does not replace the answer.
    """
    cleaned = _MARKDOWN.sub("", without_thinking(visible(text.lower())))
    tagged, stated = last_tagged(cleaned), after_stated(cleaned)
    if tagged is not None:
        yield tagged[-LONGEST:]
    if stated is not None:
        # `Answer: (a b), because (c d) ...` names two actions, of which the first is meant.
        if short:
            yield _REASON.split(stated.strip().partition("\n")[0], maxsplit=1)[0]
        yield stated[-LONGEST:]
    yield cleaned[-LONGEST:]


def accepted(text: str) -> str:
    """Return a text without the numbers and the groups behind a ``not``."""
    return _REJECTED.sub(" ", " ".join(text.split()))


def groups(text: str) -> list[str]:
    """Return the texts in parentheses, with one blank between words and commas as blanks."""
    return [f"({' '.join(group_words(found))})" for found in GROUP.findall(text)]


def group_words(group: str) -> list[str]:
    """Return the words of a text in parentheses, without quotes; commas separate words as well."""
    return group.translate(_NO_QUOTES).split()


def last_number(text: str) -> int | None:
    """Return the last whole number below 10**9 that is not part of a name; None without any."""
    found = _NUMBER.findall(GROUP.sub(" ", text))
    return int(found[-1]) if found else None


def list_text(items: Iterable[str]) -> str:
    """Return a list as text."""
    return f"[{', '.join(items)}]"


def named(text: str) -> str | None:
    """Return the last text in parentheses of an answer, `NONE` if it says so, or None."""
    parts = map(named_in, map(accepted, readings(text, short=True)))
    return next(filter(None, parts), None)


def first_of(answers: Sequence[str]) -> str:
    """Return the first of several right answers; ``None`` without any, as ACPBench writes it."""
    return f"({answers[0].strip('()')})" if answers else NONE.title()


def mark_one(
    text: str, what: str, right: Sequence[str], fault: Callable[[str], str | None]
) -> Mark:
    """Mark an answer that names one of several right ones, or `NONE` if there are none.

    Args:
        text: the answer.
        what: what it should name.
        right: the right answers that are known.
        fault: returns why any other answer is wrong; None if it is right, too.
    """
    found, known = named(text), [first_of([each]).lower() for each in right]
    if found is None:
        return unreadable(what)
    reason = None if found in (known or [NONE]) else fault(found)
    return Mark(reason is None, found, reason=reason)


def named_in(part: str) -> str | None:
    """Return the last text in parentheses of a reading, `NONE` if it says so, or None."""
    return next(reversed(groups(part) or _NONE.findall(part)), None)


def lists_in(text: str, count: int) -> list[list[str]] | None:
    """Return the last one or two lists of an answer; None if there are not so many.

    The items are the texts in parentheses. One list may be all actions that the answer names. Of
    two, the positive one comes first, unless words that begin with ``pos`` or ``neg`` label the
    lists the other way round. ``Positive effects`` and ``negative effects`` may also precede lists
    without brackets.
    """
    for part in readings(text):
        lists = _lists(part)[-count:]
        items = [found for found, _ in lists]
        if len(lists) == count:
            # A model may write the negative effects first, if it labels them.
            return items[::-1] if [label for _, label in lists] == ["neg", "pos"] else items
        # Lists without brackets: positive effects, then negative ones.
        # A text with brackets that were no two lists is unclear, and is not guessed at.
        halves = part.partition("positive effects")[2].split("negative effects")
        texts = [part] if count == 1 else halves if "[" not in part else []
        items = [groups(each) for each in texts]
        if len(items) == count and any(items):
            return items
    return None


def _lists(text: str) -> list[tuple[list[str], str]]:
    """Return the items of each text in brackets that has only texts in parentheses.

    Each comes with ``pos`` or ``neg``, whichever was last mentioned before it; empty without one.
    """
    found, end = list[tuple[list[str], str]](), 0
    for match in _LIST.finditer(text):
        said = _LABEL.findall(text, end, match.start())
        items, end = groups(match[1]), match.end()
        # "[]" is an empty list, and "[see above]" is none.
        if items or not _NO_LIST.search(match[1]):
            found.append((items, said[-1] if said else ""))
    return found


def mark_choice(question: Question, text: str) -> Mark:
    """Mark an answer to a question whose details contain ``options``, each a list of names."""
    options: Sequence[Sequence[str]] = question.details["options"]
    chosen = _chosen(text, options)
    if chosen is not None:
        found = options[chosen][0]
        return right_if(found == question.answer, found, f"expected {question.answer}")
    known = {name for option in options for name in option}
    named = [group for group in groups(next(readings(text))) if group not in known]
    if not named:
        return unreadable("choice of one option")
    reason = f"{named[-1]} is not one of the options"
    return Mark(correct=False, found=named[-1], mistakes=(NOT_AN_OPTION,), reason=reason)


def _chosen(text: str, options: Sequence[Sequence[str]]) -> int | None:
    """Return the position of the one option that an answer chooses; None if it is unclear.

    The last line that mentions an option must choose exactly one. If the first such line is nothing
    but a choice, it must be the same one.
    """
    ways = [[_pattern(way) for way in option] for option in options]
    for reading in readings(text, short=True):
        lines = [line for each in reading.splitlines() if (line := " ".join(each.split()))]
        said = [(line, found) for line in lines if (found := _mentioned(line, ways))]
        if said:
            # Reasoning may name all options; the last line that names any has the choice.
            (first, before), (_, chosen) = said[0], said[-1]
            bare = _POSITION.match(first) or any(
                way.fullmatch(first.strip("() .")) for option in ways for way in option
            )
            # A bare choice at the top that is taken back below: which one counts is unclear.
            if len(chosen) > 1 or (bare and before != chosen):
                return None
            number = min(chosen)
            return number if 0 <= number < len(options) else None
    return None


def _mentioned(line: str, ways: Sequence[Sequence[re.Pattern[str]]]) -> set[int]:
    """Return the positions of the options that a line mentions.

    An option is mentioned by its position (from 1), its letter, or its name. A denial beside it
    counts as another option, so that the choice is unclear.
    """
    found = {n for n, option in enumerate(ways) if any(way.search(line) for way in option)}
    match = _POSITION.match(line)
    if match is not None:
        found.add(int(match[1]) - 1 if match[1].isdigit() else ord(match[1]) - ord("a"))
    return found | {-1} if found and _DENIAL.search(line) else found


def _pattern(way: str) -> re.Pattern[str]:
    """Return the pattern of an option's name, which does not match inside longer words."""
    words = way.strip("()").split()
    phrase = r"[\s,]{1,3}".join(map(re.escape, words))
    return re.compile(rf"(?<![\w-]){phrase}(?![\w-])")
