"""Reads the steps in parentheses from an answer, whatever stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pddl_pipeline.model.answer import Fault, ReadAnswer, TraceLine
from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.slug import Slug
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.answers.sentences import LINKS
from pddl_pipeline.validation.task import Task

# The innermost parentheses that hold words only; long ones are prose, those behind a word a call.
_GROUP: Final = re.compile(r"(?<!\w)\(([^()]{1,300})\)")
_NAME: Final = re.compile(r"[a-z0-9_][\w@!?+*/.-]*", re.ASCII)


def read_pddl_answer(text: str, instance: Instance[object], task: Task) -> ReadAnswer:
    """Read the steps in parentheses; see `Text.parse_answer`."""
    del instance
    steps: list[Step] = []
    trace: list[TraceLine] = []
    for line in lines_of(text):
        found = list(pddl_steps(line, task))
        trace += traced(line, found, len(steps))
        steps += found
    if not steps:
        return ReadAnswer(None, tuple(trace), (Fault(Slug.UNREADABLE, "found no step"),))
    return ReadAnswer(Plan(steps), tuple(trace))


def as_plan_file(text: str, task: Task) -> ReadAnswer | None:
    """Return what a plan file of this task says, as the strict reader has it; None for others."""
    if "(" not in text:
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
    if "".join(map(str, found)) == line.text:
        return [line.used(before + 1)]
    numbered = enumerate(found, start=before + 1)
    return [line.changed(f"read as {step}", number) for number, step in numbered]


def pddl_steps(line: AnswerLine, task: Task) -> Iterator[Step]:
    """Yield the steps in a line, those included that the task does not have.

    A group of words is one where it starts with an action's name, or else names only objects
    after its first word: what stands in parentheses otherwise is prose.
    """
    for match in _GROUP.finditer(line.text.lower()):
        words = match[1].replace(",", " ").split()
        if not words or not all(map(_NAME.fullmatch, words)):
            continue
        name, *arguments = words
        name = _spellings(task).get(_plain(name), name)
        if (name in task.vocabulary.actions and not _prose(arguments, task)) or _like_a_step(
            words, task
        ):
            yield Step(name, tuple(arguments), line.number, match.start() + 1)


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
