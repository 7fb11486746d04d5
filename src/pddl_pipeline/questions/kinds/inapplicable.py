"""The question for the first inapplicable step: ACPBench's ``val``, counted from 0."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import Mark, Question, unreadable
from pddl_pipeline.questions.reading import accepted, groups, last_number, readings
from pddl_pipeline.questions.templates import CURRENTLY, FIRST_INAPPLICABLE
from pddl_pipeline.questions.walk import inapplicable_step


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
    for part in map(accepted, readings(text, short=True)):
        number, named = last_number(part), groups(part)
        found = named[-1] if number is None and named else number
        if found is not None:
            correct = found in (question.answer, actions[question.answer].lower())
            return Mark(correct, found, reason=None if correct else f"expected {question.answer}")
    return unreadable("index, and no action")


KINDS: Final = (
    Kind(
        "first-inapplicable", "which step of a sequence is the first inapplicable one",
        _make, _mark, order=5,
    ),
)  # fmt: skip
