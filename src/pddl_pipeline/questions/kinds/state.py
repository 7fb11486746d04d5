"""The question which state results from actions: SimPlan, experiment 1 (section 3.2, figure 8)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.mistakes import Trajectory, trajectory_from
from pddl_pipeline.questions.question import Mark, Question, unreadable
from pddl_pipeline.questions.templates import asked
from pddl_pipeline.questions.wording import StateReader, render_state
from pddl_pipeline.translators.field_checks import natural

_SHOWN: Final = 5


def _make(scene: Scene) -> Draft:
    stage, walk = scene.stage, scene.walk()
    states = tuple(map(stage.facts, walk.states))
    trajectory = Trajectory(stage.fluents, stage.wording, states)
    question = asked("state", state=stage.describe(walk.states[0]), actions=walk.texts)
    details = {"actions": walk.texts, **trajectory.to_json()}
    return Draft(question, sorted(trajectory.end, key=natural), len(walk.steps), details)


def _mark(question: Question, text: str) -> Mark:
    trajectory = trajectory_from(question.details)
    description = StateReader(trajectory.fluents, trajectory.wording).read(text)
    if not description.asserted and not description.denied:
        return unreadable("atom")
    found = sorted(description.asserted)
    found += [f"(not {atom})" for atom in sorted(description.denied)]
    if trajectory.is_right(description):
        return Mark(correct=True, found=found)
    wrong = description.asserted - trajectory.end | description.denied & trajectory.end
    reason = "; ".join(
        f"{what}: {', '.join(sorted(atoms)[:_SHOWN])}"
        for what, atoms in (("wrong", wrong), ("missing", trajectory.missing(description)))
        if atoms
    )
    mistakes = trajectory.mistakes(description)
    return Mark(correct=False, found=found, mistakes=mistakes, reason=reason)


KINDS: Final = (
    Kind(
        "state",
        "which state results from some actions",
        _make,
        _mark,
        lambda question: render_state(trajectory_from(question.details).wording, question.answer),
    ),
)
