"""Reads answers by the rules of PlanBench's published results.

A line is a step if one of its words is an action's name and it names as many objects as the action
takes. All other lines are ignored, and no mark ends the plan. This reading takes explanations for
steps and misses steps with explanations; it exists for comparison with published results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Final

from pddl_pipeline.answers.lines import AnswerLine, lines_of
from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.task import Task

_JOINED: Final = (("pick up", "pick-up"), ("put down", "put-down"))


def read_as_planbench(text: str, phrases: Mapping[str, str], task: Task) -> ReadAnswer:
    """Return PlanBench's reading of an answer, given the phrase of each object."""
    found = [(line, _step(line, phrases, task)) for line in lines_of(text)]
    steps = [step for _, step in found if step is not None]
    trace = LazyTrace(lambda: _trace(found))
    if not steps:
        return ReadAnswer(None, trace, (Fault(ErrorKind.UNREADABLE, "found no step"),))
    return ReadAnswer(Plan(steps), trace)


def _trace(found: Sequence[tuple[AnswerLine, Step | None]]) -> tuple[TraceLine, ...]:
    number = count(1)
    return tuple(
        line.dropped("no step by PlanBench's rules") if step is None
        else line.read_as(step, next(number))
        for line, step in found
    )  # fmt: skip


def _step(line: AnswerLine, phrases: Mapping[str, str], task: Task) -> Step | None:
    text = line.text.lower()
    for apart, joined in _JOINED:
        text = text.replace(apart, joined)
    tokens = set(text.split())
    action = next((a for a in task.vocabulary.actions.values() if a.name in tokens), None)
    if action is None:
        return None
    places = sorted((text.find(phrase), name) for name, phrase in phrases.items() if phrase in text)
    if len(places) != len(action.parameters):
        return None
    return Step(action.name, tuple(name for _, name in places), line.number)
