"""Minigrid: a robot walks through rooms whose doors need keys of their shape (SimPlan, Figure 12).

A problem's connections do not determine the floor plan (its width, the positions of walls), so the
floor plan is written as a comment at the head of the problem file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault, check_keys, check_known, check_names
from pddl_pipeline.translators.problems import facts_named, goal_atoms, problem_text
from pddl_pipeline.translators.referee import Board, Fact, Move
from pddl_pipeline.translators.translator import Translator
from pddl_pipeline.validation.task import Task

_OPEN, _LOCK, _WALL = ".", "L", "w"
_HEADER: Final = "; floorplan: places p0, p1, ... row by row; '.' open, 'L' locked, 'w' wall\n"
_ROW: Final = re.compile(r"^;   ([.Lw]+)$", re.MULTILINE)


class Key(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key on the floor. It is a struct because dataclasses ignore unknown fields."""

    shape: str
    at: str
    """Place of the key."""


@dataclass(frozen=True, slots=True)
class Minigrid:
    """The floor plan, the keys and locks, and the start and goal of the robot."""

    floorplan: tuple[str, ...]
    """Rows of equal length: ``.`` open, ``L`` locked, ``w`` wall. Places p0, p1, … are the cells
    that are not walls, row by row."""
    keys: dict[str, Key]
    locks: dict[str, str]
    """The shape of the lock at each ``L`` cell."""
    robot: str
    """Initial place of the robot, whose hand is empty."""
    goal: str
    """Goal place of the robot."""

    def __post_init__(self) -> None:
        rows = self.floorplan
        if not rows or len(set(map(len, rows))) > 1:
            raise FieldFault("floorplan", "expected rows of the same length")
        for row in rows:
            if not row or set(row) - {_OPEN, _LOCK, _WALL}:
                raise FieldFault("floorplan", f"found row '{row}', expected cells '.', 'L', 'w'")
        places = self.places()
        shapes = self.shapes()
        check_names("minigrid", "locks", [*places, *shapes])
        check_names("minigrid", "keys", [*places, *shapes, *self.keys])
        locked = [name for name, (row, column) in places.items() if rows[row][column] == _LOCK]
        check_keys("locks", self.locks, locked)
        check_known("keys", (key.at for key in self.keys.values()), places, "a place")
        check_known("robot", [self.robot], places, "a place")
        check_known("goal", [self.goal], places, "a place")

    def places(self) -> dict[str, tuple[int, int]]:
        """Return the row and column of each place."""
        cells = [
            (row, column)
            for row, cells in enumerate(self.floorplan)
            for column, cell in enumerate(cells)
            if cell != _WALL
        ]
        return {f"p{number}": cell for number, cell in enumerate(cells)}

    def shapes(self) -> list[str]:
        """Return the shapes of the locks and keys, sorted."""
        return sorted({*self.locks.values(), *(key.shape for key in self.keys.values())})


def _neighbours(task: Minigrid) -> list[tuple[str, str]]:
    places = task.places()
    at = {cell: name for name, cell in places.items()}
    return [
        (name, at[row + down, column + right])
        for name, (row, column) in places.items()
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if (row + down, column + right) in at
    ]


def _problem(instance: Instance[Minigrid]) -> str:
    task = instance.record
    objects: dict[str, str | None] = dict.fromkeys(task.places(), "place")
    objects |= dict.fromkeys(task.keys, "key") | dict.fromkeys(task.shapes(), "shape")
    facts: list[Fact] = [("conn", *pair) for pair in _neighbours(task)]
    facts += [("locked" if place in task.locks else "open", place) for place in task.places()]
    facts += [("lock-shape", place, shape) for place, shape in task.locks.items()]
    for name, key in task.keys.items():
        facts += [("key-shape", name, key.shape), ("at", name, key.at)]
    facts += [("at-robot", task.robot), ("arm-empty",)]
    text = problem_text(instance.id, "minigrid", objects, facts, [("at-robot", task.goal)])
    return _HEADER + "".join(f";   {row}\n" for row in task.floorplan) + text


def _recover(task: Task, text: str) -> Minigrid:
    shapes = {key: shape for _, key, shape in facts_named(task, "key-shape")}
    found = Minigrid(
        tuple(_ROW.findall(text)),
        {key: Key(shapes[key], place) for _, key, place in facts_named(task, "at")},
        {place: shape for _, place, shape in facts_named(task, "lock-shape")},
        facts_named(task, "at-robot")[0][1],
        goal_atoms(task)[0][1],
    )
    # The floor plan is only a comment, which may be of another problem.
    if {("conn", *pair) for pair in _neighbours(found)} != set(facts_named(task, "conn")):
        raise FieldFault("floorplan", "the comment does not match the problem's connections")
    return found


_MOVES: Final = {
    "move": Move(("from", "to"), {"ROBOT": "from", "to": "OPEN"}, {"ROBOT": "to"}),
    "unlock": Move(
        ("from", "to", "key", "shape"),
        {"ROBOT": "from", "key": "HAND", "to": "LOCKED"},
        {"to": "OPEN"},
    ),
    "pickup": Move(
        ("from", "key"), {"ROBOT": "from", "key": "from"}, {"key": "HAND"}, clear=("HAND",)
    ),
    "pickup-and-loose": Move(
        ("from", "key", "other"),
        {"ROBOT": "from", "key": "from", "other": "HAND"},
        {"key": "HAND", "other": "from"},
    ),
    "putdown": Move(("from", "key"), {"ROBOT": "from", "key": "HAND"}, {"key": "from"}),
}


class _Floor(Board):
    """The robot, the keys and the doors. A place is open or locked."""

    def __init__(self, task: Minigrid) -> None:
        self.task = task
        self.cells = task.places()
        doors = {place: "LOCKED" if place in task.locks else "OPEN" for place in self.cells}
        keys = {name: key.at for name, key in task.keys.items()}
        super().__init__(_MOVES, {**doors, **keys, "ROBOT": task.robot})

    def further_fault(self, action: str, names: Mapping[str, str]) -> str | None:
        if "to" in names:
            distances = zip(self.cells[names["from"]], self.cells[names["to"]], strict=True)
            if sum(abs(one - other) for one, other in distances) != 1:
                return f"{names['to']} is not next to {names['from']}"
        if action == "unlock":
            shapes = {self.task.keys[names["key"]].shape, self.task.locks[names["to"]]}
            if shapes != {names["shape"]}:
                return f"{names['key']} does not fit"
        return None


TRANSLATOR = Translator(
    record_type=Minigrid,
    size=lambda task: len(task.shapes()),
    unit="shapes",
    problem=_problem,
    recover=_recover,
    referee=lambda instance, plan: _Floor(instance.record).fault(
        plan, [("at", "ROBOT", instance.record.goal)]
    ),
)
