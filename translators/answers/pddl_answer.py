"""Reads the steps in parentheses from an answer, regardless of the text around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from pddl_pipeline.model.answer import LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.answers.denials import denies_step
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.answers.names import LINKS
from pddl_pipeline.translators.answers.ornaments import bare, group_words
from pddl_pipeline.translators.answers.step_reader import Mistake
from pddl_pipeline.validation.task import Task

# The innermost parentheses with words only. Long ones are prose, those right after a word a call.
# Some write `(:action unstack b c)`.
_GROUP: Final = re.compile(r"(?<!\w)\((?:\s{0,9}:action\s)?([^()]{1,300})\)")
# Without an object behind it, `(:action stack` may begin a definition.
_CUT: Final = re.compile(
    r"\(\s{0,9}(?::action\s{1,9}(?=[\w-]{1,99}\s{1,9}[\w-]))?([\w-]{1,99})[^()]{0,300}"
)
# Ends of the words before a step that is a list item: `2. Put it down: (put-down b)`.
_LEADS: Final = (":", "-", "=", ">", "\u2013", "\u2014", "\u2192")
_NAME: Final = re.compile(r"[a-z0-9_][\w@!?+*/.-]*", re.ASCII)


def as_plan_file(text: str, task: Task) -> ReadAnswer | None:
    """Return the strict reading of a plan file of this task; None for other texts."""
    if "(" not in text and ";" not in text:
        return None
    try:
        plan = task.read_plan(text)
    except PlanSyntaxError:
        return None
    return ReadAnswer(plan, LazyTrace(lambda: _file_trace(text, plan)))


def _file_trace(text: str, plan: Plan) -> tuple[TraceLine, ...]:
    """Return the trace of a plan file."""
    numbers: dict[int, list[int]] = {}
    for number, step in enumerate(plan, start=1):
        numbers.setdefault(step.line, []).append(number)
    trace: list[TraceLine] = []
    for line in lines_of(text):
        here = numbers.get(line.number, [])
        trace += [line.used(number) for number in here] or [line.dropped("no step")]
    return tuple(trace)


def traced(line: AnswerLine, found: list[Step], before: int) -> list[TraceLine]:
    """Return the entries of a line with any number of steps in parentheses."""
    if not found:
        return [line.dropped("no step")]
    numbered = enumerate(found, start=before + 1)
    if "".join(map(str, found)) == line.text:
        return [line.used(number) for number, _ in numbered]
    return [line.read_as(step, number) for number, step in numbered]


def pddl_steps(line: AnswerLine, task: Task) -> Iterator[Step]:
    """Yield the steps in a line, including steps that the task does not have.

    A group of words in parentheses is a step if it starts with an action's name, or if all words
    after an unknown first one are objects. Other groups, such as facts or asides, are prose, and so
    are groups that the words before them deny.
    """
    text, before = line.text.lower(), 0
    for match in _GROUP.finditer(text):
        said, before = text[before : match.start()], match.end()
        step = _step(match[1], task)
        if step is not None and not denies_step(said):
            yield step._replace(line=line.number, column=match.start() + 1)


def in_prose(line: AnswerLine) -> bool:
    """Return whether the parentheses of a line are in a sentence, and not in an item of a list."""
    before = bare(line.text).partition("(")[0].rstrip(" *_`")
    return len(before.split()) > 1 and not before.endswith(_LEADS)


def only_remarks(lines: Sequence[AnswerLine], found: Sequence[list[Step]], task: Task) -> bool:
    """Return whether all steps in lines are remarks in sentences: ``sail to l1 (carrying c0)``.

    Args:
        lines: the lines.
        found: by line, the steps in parentheses.
        task: the task, which has none of these actions.
    """
    return all(
        step.action not in task.vocabulary.actions and in_prose(line)
        for line, steps in zip(lines, found, strict=True)
        for step in steps
    )


def unread_step(line: AnswerLine, task: Task) -> Mistake | None:
    """Return the mistake in a line that is only a step, but not of the task; None for other lines.

    A line of prose such as ``(that was all)`` is not a step.
    """
    match = _CUT.fullmatch(bare(line.text).lower())
    if match is not None and spelled(match[1], task) in task.vocabulary.actions:
        return Mistake(ErrorKind.UNREADABLE, f"the step is cut off: '{line.shown}'")
    group = _GROUP.fullmatch(bare(line.text).lower())
    words = _words(group[1]) if group else []
    if not words or _prose(words, task) or words[0] in task.vocabulary.predicates:
        return None
    return Mistake(ErrorKind.UNKNOWN_ACTION, f"unknown action '{words[0]}'")


def _words(group: str) -> list[str]:
    """Return the words of a group, or no words if one of them is not a name."""
    words = group_words(group)
    return words if all(map(_NAME.fullmatch, words)) else []


def _step(group: str, task: Task) -> Step | None:
    words = _words(group)
    if not words:
        return None
    name, *arguments = words
    name = spelled(name, task)
    if name in task.vocabulary.actions:
        return None if _prose(arguments, task) else Step(name, tuple(arguments))
    if name in task.vocabulary.predicates or not _like_a_step(words, task):
        return None
    return Step(name, tuple(arguments))


def spelled(name: str, task: Task) -> str:
    """Return the action whose name differs only in hyphens, or the name itself."""
    return _spellings(task).get(_plain(name), name)


@lru_cache(maxsize=256)
def _spellings(task: Task) -> dict[str, str]:
    """Return the actions by their names without hyphens: ``pickup`` means ``pick-up``."""
    actions = task.vocabulary.actions
    found = {_plain(name): name for name in actions}
    return found if len(found) == len(actions) else {}


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "")


def _prose(words: list[str], task: Task) -> bool:
    """Return whether words are a sentence: unlike steps, sentences contain prepositions."""
    return any(word in LINKS and word not in task.vocabulary.objects for word in words)


def _like_a_step(words: list[str], task: Task) -> bool:
    """Return whether words are an unknown name followed by known objects."""
    first, *others = (word in task.vocabulary.objects for word in words)
    return not first and bool(others) and all(others)
