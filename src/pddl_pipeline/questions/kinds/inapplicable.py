"""The question for the first inapplicable step: ACPBench's ``val``, counted from 0."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.answer_text import (
    claimed_groups,
    first_number,
    last_number,
    short_readings,
)
from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import Mark, Question, unreadable
from pddl_pipeline.questions.templates import CURRENTLY, FIRST_INAPPLICABLE
from pddl_pipeline.questions.walk import inapplicable_step

FIRST_INAPPLICABLE_KIND: Final = "first-inapplicable"


def _make(scene: Scene) -> Draft:
    stage, walk = scene.stage, scene.walk()
    position = scene.random.randrange(len(walk.steps))
    near = [step for step, _ in stage.world.successors(walk.states[position])]
    actions = walk.texts
    actions[position] = str(inapplicable_step(stage.task.vocabulary, near, (), scene.random))
    question = FIRST_INAPPLICABLE.format(actions=" ".join(actions))
    context = CURRENTLY.format(state=stage.describe(walk.states[0]))
    return Draft(question, position, len(actions), {"actions": actions}, context)


def _mark(question: Question, text: str) -> Mark:
    actions: list[str] = question.details["actions"]
    for reading, is_line in short_readings(text):
        number = first_number(reading) if is_line else last_number(reading)
        named = claimed_groups(reading)
        if number is not None:
            return _marked(question, number, number == question.answer)
        if named:
            return _marked(question, named[-1], named[-1] == actions[question.answer].lower())
    return unreadable("index, and no action")


def _marked(question: Question, found: int | str, correct: bool) -> Mark:  # noqa: FBT001 -- what it is
    if correct:
        return Mark(correct=True, found=found)
    return Mark(correct=False, found=found, reason=f"expected {question.answer}")


def _answer_text(question: Question) -> str:
    return str(question.answer)


KINDS: Final = (
    Kind(
        FIRST_INAPPLICABLE_KIND, "which step of a sequence is the first inapplicable one",
        _make, _mark, _answer_text, order=5,
    ),
)  # fmt: skip
