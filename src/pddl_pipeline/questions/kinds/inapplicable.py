"""The question for the first inapplicable step: ACPBench's ``val``, counted from 0."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.model.errors import PlanSyntaxError, StepFails
from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import Mark, Question, right_if, unreadable
from pddl_pipeline.questions.reading import NONE, accepted, last_number, named_in, readings
from pddl_pipeline.questions.situation import Situation
from pddl_pipeline.questions.templates import CURRENTLY, asked
from pddl_pipeline.questions.walk import inapplicable_step

_NOWHERE: Final = -1
"""ACPBench's answer if all steps are applicable."""


def _make(scene: Scene) -> Draft:
    stage, walk = scene.stage, scene.walk()
    position = scene.random.randrange(len(walk.steps))
    near = [step for step, _ in stage.world.successors(walk.states[position])]
    actions = walk.texts
    actions[position] = str(inapplicable_step(stage.task.vocabulary, near, (), scene.random))
    context = CURRENTLY.format(state=stage.describe(walk.states[0]))
    question = asked("first-inapplicable", actions=actions)
    return Draft(question, position, len(actions), {"actions": actions}, context)


def _mark(question: Question, text: str) -> Mark:
    answer = question.answer
    right = (
        (NONE, NONE)
        if answer == _NOWHERE
        else (answer, question.details["actions"][answer].lower())
    )
    for part in map(accepted, readings(text, short=True)):
        number = last_number(part)
        found = named_in(part) if number is None else number
        if found is not None:
            return right_if(found in right, found, f"expected {right[0]}")
    return unreadable("index, and no action")


def _solve(situation: Situation) -> int:
    task, state = situation.task, situation.task.initial_state()
    for index, text in enumerate(situation.details["actions"]):
        try:
            (step,) = task.read_plan(text)
            task.apply(step, state)
        except (PlanSyntaxError, StepFails):
            return index
    return _NOWHERE


KINDS: Final = (
    Kind(
        "first-inapplicable",
        "which step of a sequence is the first inapplicable one",
        _make,
        _mark,
        lambda question: NONE.title() if question.answer == _NOWHERE else str(question.answer),
        _solve,
    ),
)
