"""Gripper: rooms with balls, and robots whose grippers hold balls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pddl_pipeline.pages.pictures.names import Names, colour_of, predicate_names, slots
from pddl_pipeline.pages.pictures.panels import Panels
from pddl_pipeline.pages.pictures.picture import Drawing, Picture, Scene, Shape
from pddl_pipeline.pages.pictures.style import fill
from pddl_pipeline.pages.pictures.svg import path, rect, text, text_width
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_BALL: Final = 26
_HEAD: Final = 24
_ROBOT: Final = "robby"
"""The name of the robot in the competition's domain, where it is no object."""
_VARIANTS: Final = (
    {"robot": ("at-robby", 2), "at": ("at", 2), "free": ("free", 2), "carry": ("carry", 3)},
    {"robot": ("at-robby", 1), "at": ("at", 2), "free": ("free", 1), "carry": ("carry", 2)},
)


class _Grippers:
    def __init__(self, task: Task, names: Names, states: Sequence[State]) -> None:
        self._names = names
        self._colour = {_ROBOT: 7, **colour_of(task)}
        self._is_single = len(task.vocabulary.predicates[names["robot"]]) == 1
        facts = [fact for state in states for fact in state.facts]
        robots = {(self._robot(f)[0], self._robot(f)[1]) for f in facts if f[0] == names["robot"]}
        balls = {(fact[1], fact[2]) for fact in facts if fact[0] == names["at"]}
        self._hands: dict[str, list[str]] = {}
        self._balls = {ball for ball, _ in balls}
        for fact in facts:
            if fact[0] in (names["free"], names["carry"]):
                robot, ball, hand = self._parts(fact)
                self._balls |= {ball} - {""}
                found = self._hands.setdefault(robot, [])
                if hand not in found:
                    found.append(hand)
        rank = {name: index for index, name in enumerate(self._colour)}
        for hands in self._hands.values():
            hands.sort(key=rank.__getitem__)
        rooms = {room for _, room in robots | balls} | self._static_rooms(task)
        places = [name for name in self._colour if name in rooms]
        longest = max((text_width(name, 12) for name in self._balls), default=0)
        self._ball = min(96.0, max(44.0, longest + 16))
        most = max(map(len, self._hands.values()), default=1)
        self._width = max(most * (self._ball + 10) + 10, 110)
        self._robot_slots = slots(robots, list(self._colour))
        crowd = max((len(each) for each in self._robot_slots.values()), default=1)
        self._panels = Panels(
            places, slots(balls, list(self._colour)), (self._ball + 6, _BALL + 8),
            reserved=(self._width, crowd * (_HEAD + _BALL + 34)),
        )  # fmt: skip

    def _static_rooms(self, task: Task) -> set[str]:
        types = task.vocabulary.predicates[self._names["robot"]][-1]
        if types != ("object",):
            return set(task.vocabulary.candidates(types))
        return {fact[1] for fact in task.facts.facts if fact[0] == "room" and len(fact) == 2}

    def _robot(self, fact: Ground) -> tuple[str, str]:
        return (_ROBOT, fact[1]) if self._is_single else (fact[1], fact[2])

    def _parts(self, fact: Ground) -> tuple[str, str, str]:
        """Return robot, ball and gripper of a fact; a free gripper has no ball."""
        robot, rest = (_ROBOT, fact[1:]) if self._is_single else (fact[1], fact[2:])
        return robot, ("" if fact[0] == self._names["free"] else rest[0]), rest[-1]

    def draw(self, state: State) -> Drawing:
        panels = self._panels
        shapes = tuple(self._shapes(state))
        return Drawing(panels.width, panels.height, panels.ground(), shapes, panels.spots())

    def _shapes(self, state: State) -> Iterator[Shape]:
        places: dict[str, tuple[float, float]] = {}
        for fact in sorted(state.facts):
            if fact[0] == self._names["robot"]:
                robot, room = self._robot(fact)
                corner = self._panels.place(room)
                if corner is not None:
                    row = self._robot_slots[room][robot]
                    x = corner[0] + (self._panels.inner - self._width) / 2
                    y = corner[1] + self._panels.lower + 4 + row * (_HEAD + _BALL + 34)
                    places[robot] = (x, y)
                    yield self._robot_shape(robot, x, y)
        for fact in sorted(state.facts):
            if fact[0] == self._names["at"]:
                slot = self._panels.slot(fact[1], fact[2])
                if slot is not None:
                    yield self._ball_shape(fact[1], *slot)
            elif fact[0] == self._names["carry"]:
                robot, ball, hand = self._parts(fact)
                if robot in places:
                    x, y = places[robot]
                    x += 10 + self._hands[robot].index(hand) * (self._ball + 10)
                    yield self._ball_shape(ball, x, y + _HEAD + 18, robot)

    def _robot_shape(self, name: str, x: float, y: float) -> Shape:
        """Return a robot with its grippers, each an open bracket around the place of a ball."""
        height = _HEAD + _BALL + 24
        objects = () if self._is_single else (name,)
        body = rect(0, 0, self._width, height, "box edge", 6)
        body += rect(0, 0, self._width, _HEAD - 4, fill(self._colour[name]), 6)
        body += text(self._width / 2, 15, name, width=self._width - 8, style="on", bold=True)
        for index, hand in enumerate(self._hands.get(name, ())):
            left = 6 + index * (self._ball + 10)
            right = left + self._ball + 8
            low = height - 4
            body += path(f"M{left:.1f} {low - 14}V{low}H{right:.1f}V{low - 14}", "edge")
            body += text((left + right) / 2, _HEAD + 11, hand, width=self._ball + 4, size=10,
                         style="muted")  # fmt: skip
        return Shape(name, x, y, self._width, height, body, objects)

    def _ball_shape(self, name: str, x: float, y: float, within: str = "") -> Shape:
        body = rect(0, 0, self._ball, _BALL, fill(self._colour[name]), 13)
        body += text(self._ball / 2, 17.5, name, width=self._ball - 12, size=12, style="on",
                     bold=True)  # fmt: skip
        return Shape(name, x, y, self._ball, _BALL, body, (name,), within=within)


def _scene(task: Task, states: Sequence[State]) -> Scene | None:
    names = predicate_names(task, _VARIANTS)
    return None if names is None else _Grippers(task, names, states).draw


PICTURES: Final = (
    Picture(
        "grippers",
        "Balls lie in rooms. A robot moves between rooms; each of its grippers holds one ball.",
        _scene,
    ),
)
