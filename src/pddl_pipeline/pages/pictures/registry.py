"""Chooses the picture of a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from pddl_pipeline.model.discovery import registry
from pddl_pipeline.pages.pictures.general import GENERAL
from pddl_pipeline.pages.pictures.neighbourhood import around, part_of, states_of
from pddl_pipeline.pages.pictures.picture import Picture, Scene
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_GROUP: Final = "pddl_pipeline.pictures"


class ChosenScene(NamedTuple):
    """The scene of a task."""

    picture: Picture
    draw: Scene
    note: str = ""
    """Which objects are drawn, if not all are."""


@cache
def pictures() -> Mapping[str, Picture]:
    """Return the pictures of all domains by name, those of plug-ins included.

    Raises:
        InputError: two have the same name.
    """
    return registry("pddl_pipeline.pages.pictures.domains", _GROUP)


def scene_of(
    task: Task,
    states: Sequence[State],
    given: Picture | None = None,
    middle: tuple[State, Sequence[str]] | None = None,
) -> ChosenScene | str:
    """Return the scene of a task, or the reason in words why it is not drawn.

    Args:
        task: the task.
        states: every state that will be drawn, at least one.
        given: the picture to use, if the user gives one.
        middle: a state and objects; of a task with too many objects, those around them are drawn.

    Raises:
        InputError: the given picture does not fit the task.
    """
    count = len(task.vocabulary.objects)
    for picture in (given,) if given is not None else (*pictures().values(), GENERAL):
        if count <= picture.limit:
            draw = picture.scene(task, states)
            if draw is not None:
                return ChosenScene(picture, draw)
    names = around(task, *middle) if middle is not None and count > GENERAL.limit else frozenset()
    found = scene_of(part_of(task, names), states_of(states, names), given) if names else ""
    if isinstance(found, ChosenScene):
        note = f"{len(names)} of {count:,} objects are drawn, around the end of the plan."
        return ChosenScene(found.picture, lambda s: found.draw(*states_of([s], names)), note)
    return (
        f"This problem has {count:,} objects, which are too many for a picture (at most "
        f"{GENERAL.limit})."
    )
