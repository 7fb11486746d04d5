"""Reads the steps in parentheses from an answer, whatever stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pddl_pipeline.model.answer import ReadAnswer, TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.answers.names import LINKS
from pddl_pipeline.translators.answers.sentences import Mistake
from pddl_pipeline.validation.task import Task

# The innermost parentheses that hold words only; long ones are prose, those behind a word a call.
_GROUP: Final = re.compile(r"(?<!\w)\(([^()]{1,300})\)")
_CUT: Final = re.compile(r"\(\s{0,9}([\w-]{1,99})[^()]{0,300}")
# Words right before a step that say it is none.
_DENIAL: Final = re.compile(
    r"(?:\b(?:not|never|cannot|avoid|without|instead of|rather than)|n[\u2019']t)\b[^.:;]*$"
)
_NEAR: Final = 40
# What ends the words before a step that is an item: `2. Put it down: (put-down b)`.
_LEADS: Final = (":", "-", "=", ">", "\u2013", "\u2014", "\u2192")
_NAME: Final = re.compile(r"[a-z0-9_][\w@!?+*/.-]*", re.ASCII)


def as_plan_file(text: str, task: Task) -> ReadAnswer | None:
    """Return what a plan file of this task says, as the strict reader has it; None for others."""
    if "(" not in text and ";" not in text:
        return None
    try:
        plan = task.read_plan(text)
    except PlanSyntaxError:
        return None
    numbers: dict[int, list[int]] = {}
    for number, step in enumerate(plan, start=1):
        numbers.setdefault(step.line, []).append(number)
    trace: list[TraceLine] = []
    for line in lines_of(text):
        here = numbers.get(line.number, [])
        trace += [line.used(number) for number in here] or [line.dropped("no step")]
    return ReadAnswer(plan, tuple(trace))


def traced(line: AnswerLine, found: list[Step], before: int) -> list[TraceLine]:
    """Return the entries of a line with some steps in parentheses, or none."""
    if not found:
        return [line.dropped("no step")]
    numbered = enumerate(found, start=before + 1)
    if "".join(map(str, found)) == line.text:
        return [line.used(number) for number, _ in numbered]
    return [line.changed(f"read as {step}", number) for number, step in numbered]


def pddl_steps(line: AnswerLine, task: Task) -> Iterator[Step]:
    """Yield the steps in a line, those included that the task does not have.

    A group of words is one where it starts with an action's name, or else names only objects
    after its first word: what stands in parentheses otherwise, a fact or an aside, is prose. So is
    what the words before it deny.
    """
    text, before = line.text.lower(), 0
    for match in _GROUP.finditer(text):
        said, before = text[before : match.start()], match.end()
        step = _step(match[1], task)
        if step is not None and not _DENIAL.search(said[-_NEAR:]):
            yield step._replace(line=line.number, column=match.start() + 1)


def in_prose(line: AnswerLine) -> bool:
    """Whether the parentheses of a line stand in a sentence, and not in an item of a list."""
    before = line.bare.partition("(")[0].rstrip(" *_`")
    return len(before.split()) > 1 and not before.endswith(_LEADS)


def unread_step(line: AnswerLine, task: Task) -> Mistake | None:
    """Return what is wrong with a line that is a step and nothing else, but not of the task.

    A line of prose is none: ``(that was all)``.
    """
    match = _CUT.fullmatch(line.bare.lower())
    if match is not None and _spelled(match[1], task) in task.vocabulary.actions:
        return Mistake(ErrorKind.UNREADABLE, f"the step is cut off: '{line.shown}'")
    group = _GROUP.fullmatch(line.bare.lower())
    words = _words(group[1]) if group else []
    if not words or _prose(words, task) or words[0] in task.vocabulary.predicates:
        return None
    return Mistake(ErrorKind.UNKNOWN_ACTION, f"unknown action '{words[0]}'")


def _words(group: str) -> list[str]:
    """Return the words of a group, none where one of them is no name."""
    words = group.replace(",", " ").split()
    return words if all(map(_NAME.fullmatch, words)) else []


def _step(group: str, task: Task) -> Step | None:
    words = _words(group)
    if not words:
        return None
    name, *arguments = words
    name = _spelled(name, task)
    if name in task.vocabulary.actions:
        return None if _prose(arguments, task) else Step(name, tuple(arguments))
    if name in task.vocabulary.predicates or not _like_a_step(words, task):
        return None
    return Step(name, tuple(arguments))


def _spelled(name: str, task: Task) -> str:
    """Return the action that a name is but for hyphens, or the name."""
    return _spellings(task).get(_plain(name), name)


@lru_cache(maxsize=256)
def _spellings(task: Task) -> dict[str, str]:
    """Return the actions by their names without hyphens: ``pickup`` is ``pick-up``."""
    actions = task.vocabulary.actions
    found = {_plain(name): name for name in actions}
    return found if len(found) == len(actions) else {}


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "")


def _prose(words: list[str], task: Task) -> bool:
    """Whether words are a sentence: prepositions stand between names, not in steps."""
    return any(word in LINKS and word not in task.vocabulary.objects for word in words)


def _like_a_step(words: list[str], task: Task) -> bool:
    """Whether words are a name that is not known, and objects that are."""
    first, *others = (word in task.vocabulary.objects for word in words)
    return not first and bool(others) and all(others)
