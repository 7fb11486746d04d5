"""The picture of a state: a row of lamps, those that are on in yellow."""

from __future__ import annotations

from collections.abc import Sequence

from pddl_pipeline.pages.pictures.names import fits
from pddl_pipeline.pages.pictures.picture import Drawing, Picture, Scene, Shape
from pddl_pipeline.pages.pictures.svg import rect, text
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_YELLOW, _GREY = "thing c4", "thing c7"


def _scene(task: Task, states: Sequence[State]) -> Scene | None:
    del states  # the layout is the same for all states
    if not fits(task, {"on": 1, "off": 1}):
        return None
    lamps = list(task.vocabulary.objects)

    def draw(state: State) -> Drawing:
        shapes = [
            Shape(lamp, 10 + 90 * index, 10, 80, 60, _lamp(lamp, state), (lamp,))
            for index, lamp in enumerate(lamps)
        ]
        return Drawing(90 * len(lamps) + 10, 80, "", tuple(shapes))

    return draw


def _lamp(name: str, state: State) -> str:
    style = _YELLOW if ("on", name) in state.facts else _GREY
    return rect(22, 2, 36, 36, style, 18) + text(40, 56, name, width=80)


PICTURES = (Picture("lights", "A yellow lamp is on, a grey one is off.", _scene),)
