"""The question how many goals a task has."""

from __future__ import annotations

from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import Mark, Question


def _make(scene: Scene) -> Draft:
    number = len(scene.stage.goals)
    return Draft("How many goals are there?", str(number), 0, {"goals": number})


def _mark(question: Question, text: str) -> Mark:
    return Mark(correct=text.strip() == question.answer, found=text.strip())


KINDS = (Kind("goal-number", "how many goals", _make, _mark, lambda asked: str(asked.answer)),)
