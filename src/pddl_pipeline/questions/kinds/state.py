"""Which state results: SimPlan, experiment 1 (section 3.2, figure 8)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.mistakes import Trajectory, course_from
from pddl_pipeline.questions.question import Mark, Question, unreadable
from pddl_pipeline.questions.state_reading import StateReader
from pddl_pipeline.questions.state_rendering import StateRenderer
from pddl_pipeline.questions.templates import EFFECTS_OF_ACTIONS

_SHOWN: Final = 5


def _make(scene: Scene) -> Draft:
    stage, walk = scene.stage, scene.walk()
    world = stage.world
    course = Trajectory(world.fluents, stage.teller.wording, tuple(map(world.told, walk.states)))
    question = EFFECTS_OF_ACTIONS.format(
        state=stage.tell(walk.states[0]), actions=" ".join(map(str, walk.steps))
    )
    details = {"actions": [str(step) for step in walk.steps], **course.to_json()}
    return Draft(question, sorted(course.end), len(walk.steps), details)


def _mark(question: Question, text: str) -> Mark:
    course = course_from(question.details)
    told = StateReader(course.fluents, course.wording).read(text)
    if not told.told and not told.denied:
        return unreadable("atom")
    found = sorted(told.told) + [f"(not {atom})" for atom in sorted(told.denied)]
    if course.is_right(told):
        return Mark(correct=True, found=found)
    reasons = [
        _listed("wrong", told.told - course.end | told.denied & course.end),
        _listed("missing", course.missing(told)),
    ]
    reason = "; ".join(part for part in reasons if part)
    return Mark(correct=False, found=found, mistakes=course.mistakes(told), reason=reason)


def _listed(what: str, atoms: frozenset[str]) -> str:
    if not atoms:
        return ""
    shown = ", ".join(sorted(atoms)[:_SHOWN])
    more = f" and {len(atoms) - _SHOWN} more" if len(atoms) > _SHOWN else ""
    return f"{what}: {shown}{more}"


def _tell(question: Question) -> str:
    return StateRenderer(course_from(question.details).wording).state(question.answer)


KINDS: Final = (
    Kind("state", "which state results from some actions", _make, _mark, _tell, order=1),
)
