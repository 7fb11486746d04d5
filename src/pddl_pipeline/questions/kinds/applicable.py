"""The question which of four actions is applicable: SimPlan, experiment 2 (3.3, figure 9)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import NoQuestion
from pddl_pipeline.questions.reading import mark_choice
from pddl_pipeline.questions.templates import asked
from pddl_pipeline.questions.walk import inapplicable_step

_OPTIONS: Final = 4


def _make(scene: Scene) -> Draft:
    stage, random, walk = scene.stage, scene.random, scene.walk()
    near = [step for step, _ in stage.world.successors(walk.end)]
    if not near:
        raise NoQuestion("no action is applicable at the end of the walk")
    right = random.choice(near)
    options = [right]
    while len(options) < _OPTIONS:
        options.append(inapplicable_step(stage.task.vocabulary, near, options, random))
    random.shuffle(options)
    texts = [str(step) for step in options]
    question = asked("applicable", state=stage.describe(walk.end), actions=", ".join(texts))
    details = {
        "options": [[text] for text in texts],
        "walk": walk.texts,
    }
    return Draft(question, str(right), len(walk.steps), details)


KINDS: Final = (
    Kind(
        "applicable",
        "which of four actions is applicable",
        _make,
        mark_choice,
    ),
)
