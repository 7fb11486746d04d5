"""The question for all applicable actions: ACPBench's ``app``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import Mark, NoQuestion, Question, unreadable
from pddl_pipeline.questions.reading import action_list, list_text
from pddl_pipeline.questions.situation import Situation
from pddl_pipeline.questions.templates import ALL_APPLICABLE, CURRENTLY
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.translators.field_checks import natural

_MOST: Final = 200


def _make(scene: Scene) -> Draft:
    stage, walk = scene.stage, scene.walk()
    found = stage.world.successors(walk.end)
    if len(found) > _MOST:
        raise NoQuestion(f"more than {_MOST} actions are applicable at the end of the walk")
    context = CURRENTLY.format(state=stage.describe(walk.end))
    details = {"walk": walk.texts}
    answer = sorted((str(step) for step, _ in found), key=natural)
    return Draft(ALL_APPLICABLE, answer, len(walk.steps), details, context)


def _mark(question: Question, text: str) -> Mark:
    found = action_list(text)
    if found is None:
        return unreadable("list of actions")
    wanted = {str(action).lower() for action in question.answer}
    if set(found) == wanted:
        return Mark(correct=True, found=found)
    wrong, missing = len(set(found) - wanted), len(wanted - set(found))
    return Mark(correct=False, found=found, reason=f"{wrong} wrong, {missing} missing")


def _solve(situation: Situation, details: Mapping[str, Any], effort: Effort) -> list[str]:
    del details, effort
    found = situation.world.successors(situation.state)
    return sorted((str(step) for step, _ in found), key=natural)


KINDS: Final = (
    Kind(
        "all-applicable",
        "all applicable actions",
        _make,
        _mark,
        lambda question: list_text(question.answer),
        order=6,
        solve=_solve,
    ),
)
