"""What a picture consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task


class Shape(NamedTuple):
    """One thing in a picture. It is the same thing in every picture with the same key."""

    key: str
    x: float
    """Left edge, in pixels."""
    y: float
    """Upper edge, in pixels."""
    width: float
    height: float
    body: str
    """SVG whose origin is the shape's upper left corner."""
    objects: tuple[str, ...] = ()
    """The things that it stands for, such as ``b1`` and ``the hand``."""
    within: str = ""
    """The key of the shape that carries it."""
    facts: tuple[Ground, ...] = ()
    """The facts and values that it shows. A step that changes none of them does not mark it."""


Spot = tuple[float, float, float, float]
"""Left edge, upper edge, width and height."""


class Drawing(NamedTuple):
    """The picture of one state. All drawings of a scene have the same size and ground."""

    width: float
    height: float
    ground: str
    """SVG of what never changes, below all shapes."""
    shapes: tuple[Shape, ...]
    spots: Mapping[str, Spot] = MappingProxyType({})
    """The parts of the ground that stand for things, such as the cells of a map."""
    things: Mapping[str, Sequence[str]] = MappingProxyType({})
    """By predicate, the things that a fact is about besides its objects, such as ``the hand`` and
    ``{1} {3}``."""

    def about(self, facts: Iterable[Ground]) -> set[object]:
        """Return the things that facts are about, drawn or not."""
        return {
            name
            for fact in facts
            for name in (*fact[1:], *(each.format(*fact) for each in self.things.get(fact[0], ())))
        }


Scene = Callable[[State], Drawing]
"""Draws a state. Equal states have equal drawings."""


SceneMaker = Callable[[Task, Sequence[State]], Scene | None]
Sentence = Callable[[Step, State | None, State | None], str]


class Picture(NamedTuple):
    """The picture of a domain and its variants."""

    name: str
    """The domain's name."""
    about: str
    """One line on what is drawn, which stands below the picture."""
    scene: SceneMaker
    """Returns the scene of a task, or None if the task is not of this domain. The states are those
    that will be drawn: the layout depends on them, so that nothing moves that does not change."""
    sentence: Sentence | None = None
    """Returns a step in words, given the states before and after it if it can be executed; empty
    for the domain's words."""
    facts: Mapping[str, str] = MappingProxyType({})
    """By predicate, the phrase for a fact, with ``{0}``, ``{1}``, … for its objects. A domain with
    words in its folder needs none."""
    limit: int = 200
    """The maximum number of objects in a picture; tasks with more are shown as tables."""
