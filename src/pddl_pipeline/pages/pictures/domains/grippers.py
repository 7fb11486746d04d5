"""Gripper: rooms with balls, and robots whose grippers hold balls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pddl_pipeline.pages.pictures.names import DomainScene, fitting, slots
from pddl_pipeline.pages.pictures.panels import Panels
from pddl_pipeline.pages.pictures.picture import Picture, Shape
from pddl_pipeline.pages.pictures.svg import fill, path, rect, text
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State

_BALL: Final = 26
_HEAD: Final = 24
_ROBOT: Final = "robby"
"""The name of the robot in the competition's domain, where it is no object."""


class _Grippers(DomainScene):
    def arrange(self) -> None:
        self.colour = {_ROBOT: 7, **self.colour}
        self._types = self.task.vocabulary.predicates[self.names["robot"]]
        robots = {(own[0], own[1]) for own in map(self._of_robot, self.ever("robot"))}
        balls = {(fact[1], fact[2]) for fact in self.ever("at")}
        held = [self._of_robot(fact) for fact in self.ever("carry")]
        hands = {(each[0], each[-1]) for each in (*held, *map(self._of_robot, self.ever("free")))}
        order = list(self.colour)
        self._hands = {
            robot: sorted((hand for own, hand in hands if own == robot), key=order.index)
            for robot, _ in hands
        }
        self._ball = fitting({*(ball for ball, _ in balls), *(each[1] for each in held)},
                             44, 96, 16, 12)  # fmt: skip
        most = max(map(len, self._hands.values()), default=1)
        self._width = max(most * (self._ball + 10) + 10, 110)
        self._robot_slots = slots(robots, order)
        crowd = max((len(each) for each in self._robot_slots.values()), default=1)
        rooms = {room for _, room in robots | balls} | self._rooms()
        panels = Panels(
            [name for name in order if name in rooms], slots(balls, order),
            (self._ball + 6, _BALL + 8), reserved=(self._width, crowd * (_HEAD + _BALL + 34)),
        )  # fmt: skip
        self._panels, self.size, self.spots = panels, (panels.width, panels.height), panels.spots()
        self.ground = panels.ground()

    def _rooms(self) -> set[str]:
        if self._types[-1] != ("object",):
            return set(self.task.vocabulary.candidates(self._types[-1]))
        return {fact[1] for fact in self.task.facts.facts if fact[0] == "room" and len(fact) == 2}

    def _of_robot(self, fact: Ground) -> tuple[str, ...]:
        """Return the objects of a fact, the robot first."""
        return (_ROBOT, *fact[1:]) if len(self._types) == 1 else fact[1:]

    def shapes(self, state: State) -> Iterator[Shape]:
        panels = self._panels
        places: dict[str, tuple[float, float]] = {}
        for robot, room in map(self._of_robot, self.facts("robot", state)):
            if (corner := panels.place(room)) is not None:
                row = self._robot_slots[room][robot]
                x = corner[0] + (panels.inner - self._width) / 2
                y = corner[1] + panels.lower + 4 + row * (_HEAD + _BALL + 34)
                places[robot] = (x, y)
                yield self._robot_shape(robot, x, y)
        for _, ball, room in self.facts("at", state):
            if (slot := panels.slot(ball, room)) is not None:
                yield self._ball_shape(ball, *slot)
        for robot, ball, hand in map(self._of_robot, self.facts("carry", state)):
            if robot in places:
                x, y = places[robot]
                x += 10 + self._hands[robot].index(hand) * (self._ball + 10)
                yield self._ball_shape(ball, x, y + _HEAD + 18, robot)

    def _robot_shape(self, name: str, x: float, y: float) -> Shape:
        """Return a robot with its grippers, each an open bracket around the place of a ball."""
        height = _HEAD + _BALL + 24
        objects = () if len(self._types) == 1 else (name,)
        body = rect(0, 0, self._width, height, "box edge", 6)
        body += rect(0, 0, self._width, _HEAD - 4, fill(self.colour[name]), 6)
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
        body = rect(0, 0, self._ball, _BALL, fill(self.colour[name]), 13)
        body += text(self._ball / 2, 17.5, name, width=self._ball - 12, size=12, style="on",
                     bold=True)  # fmt: skip
        return Shape(name, x, y, self._ball, _BALL, body, (name,), within=within)


PICTURES: Final = (
    Picture(
        "grippers",
        "Balls lie in rooms. A robot moves between rooms; each of its grippers holds one ball.",
        _Grippers.of(
            {"robot": ("at-robby", 2), "at": ("at", 2), "free": ("free", 2), "carry": ("carry", 3)},
            {"robot": ("at-robby", 1), "at": ("at", 2), "free": ("free", 1), "carry": ("carry", 2)},
        ),
    ),
)
