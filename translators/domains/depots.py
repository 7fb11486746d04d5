"""Depots: trucks carry crates between places, hoists stack them on pallets and crates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import (
    FieldFault,
    check_atoms,
    check_keys,
    check_known,
    check_names,
    keep_sorted,
)
from pddl_pipeline.translators.problems import facts_named, goal_atoms, objects_of, problem_text
from pddl_pipeline.translators.referee import Board, Fact, Move
from pddl_pipeline.translators.translator import Translator
from pddl_pipeline.validation.task import Task

_KINDS: Final = ("trucks", "hoists", "pallets", "crates")


@dataclass(frozen=True, slots=True)
class Depots:
    """The initial positions of all objects, and the goal. Names are kept sorted."""

    places: dict[str, Literal["depot", "distributor"]]
    trucks: tuple[str, ...]
    hoists: tuple[str, ...]
    pallets: tuple[str, ...]
    crates: tuple[str, ...]
    at: dict[str, str]
    """Place of each truck, hoist and pallet. A crate is at the place of its stack's pallet."""
    on: dict[str, str]
    """The pallet or crate on which each crate stands. All hoists are free at the start."""
    goal: tuple[tuple[str, ...], ...]
    """Atoms of ``on``, ``at``, ``in`` and ``clear``. Kept sorted."""

    def __post_init__(self) -> None:
        known = list(self.places)
        check_names("depots", "places", known)
        for field in _KINDS:
            known += getattr(self, field)
            check_names("depots", field, known)
        keep_sorted(self, *_KINDS)
        check_keys("at", self.at, [*self.trucks, *self.hoists, *self.pallets])
        check_known("at", self.at.values(), self.places, "a place")
        check_keys("on", self.on, self.crates)
        check_known("on", self.on.values(), [*self.pallets, *self.crates], "a pallet or crate")
        if len(set(self.on.values())) < len(self.on):
            raise FieldFault("on", "two crates stand on the same surface")
        for crate in self.crates:
            self.place(crate)
        surfaces = (*self.pallets, *self.crates)
        movable = (*self.trucks, *self.hoists, *surfaces)
        goals = {
            "on": (self.crates, surfaces),
            "at": (movable, tuple(self.places)),
            "in": (self.crates, self.trucks),
            "clear": (surfaces,),
        }
        check_atoms("goal", self.goal, goals)
        object.__setattr__(self, "goal", tuple(sorted(self.goal)))

    def place(self, crate: str) -> str:
        """Return the initial place of a crate.

        Raises:
            FieldFault: its stack does not end on a pallet.
        """
        below, seen = crate, set[str]()
        while below in self.on:
            if below in seen:
                raise FieldFault("on", f"'{crate}' does not stand on a pallet, even indirectly")
            seen.add(below)
            below = self.on[below]
        return self.at[below]


def _problem(instance: Instance[Depots]) -> str:
    task = instance.record
    objects: dict[str, str | None] = {**task.places}
    for field in _KINDS:
        objects |= dict.fromkeys(getattr(task, field), field.removesuffix("s"))
    facts: list[Fact] = [("at", name, place) for name, place in task.at.items()]
    facts += [("at", crate, task.place(crate)) for crate in task.crates]
    facts += [("on", crate, below) for crate, below in task.on.items()]
    facts += [("available", hoist) for hoist in task.hoists]
    covered = set(task.on.values())
    facts += [("clear", top) for top in (*task.pallets, *task.crates) if top not in covered]
    return problem_text(instance.id, "depots", objects, facts, task.goal)


def _recover(task: Task, _: str) -> Depots:
    crates = objects_of(task, "crate")
    places: dict[str, Literal["depot", "distributor"]] = {}
    places |= dict.fromkeys(objects_of(task, "depot"), "depot")
    places |= dict.fromkeys(objects_of(task, "distributor"), "distributor")
    return Depots(
        places,
        objects_of(task, "truck"),
        objects_of(task, "hoist"),
        objects_of(task, "pallet"),
        crates,
        # The place of a crate follows from its stack.
        {name: place for _, name, place in facts_named(task, "at") if name not in crates},
        {crate: below for _, crate, below in facts_named(task, "on")},
        goal_atoms(task),
    )


_LOADED: Final = ("hoist", "crate", "truck", "place")
_STACKED: Final = ("hoist", "crate", "surface", "place")
_MOVES: Final = {
    "drive": Move(("truck", "from", "to"), {"truck": "from"}, {"truck": "to"}),
    "lift": Move(
        _STACKED,
        {"hoist": "place", "crate": "surface"},
        {"crate": "hoist"},
        clear=("hoist", "crate"),
    ),
    "drop": Move(
        _STACKED, {"hoist": "place", "crate": "hoist"}, {"crate": "surface"}, clear=("surface",)
    ),
    "load": Move(
        _LOADED, {"hoist": "place", "truck": "place", "crate": "hoist"}, {"crate": "truck"}
    ),
    "unload": Move(
        _LOADED,
        {"hoist": "place", "truck": "place", "crate": "truck"},
        {"crate": "hoist"},
        clear=("hoist",),
    ),
}


class _Yard(Board):
    """Trucks, hoists and stacks."""

    def __init__(self, task: Depots) -> None:
        super().__init__(_MOVES, task.at | task.on, {*task.hoists, *task.trucks})

    def further_fault(self, _action: str, names: Mapping[str, str]) -> str | None:
        if "surface" in names and self._place(names["surface"]) != names["place"]:
            return f"{names['surface']} is not at {names['place']}"
        return None

    def _place(self, thing: str) -> str:
        """Return the place of a thing: that of its stack; if it is carried, its carrier."""
        place = self.where[thing]
        while place in self.where and place not in self.carriers:
            place = self.where[place]
        return place

    def satisfies(self, atom: Fact) -> bool:
        if atom[0] == "at":
            return self._place(atom[1]) == atom[2]
        return self.is_clear(atom[1]) if atom[0] == "clear" else super().satisfies(atom)


TRANSLATOR = Translator(
    record_type=Depots,
    size=lambda task: len(task.crates),
    unit="crates",
    problem=_problem,
    recover=_recover,
    referee=lambda instance, plan: _Yard(instance.record).fault(plan, instance.record.goal),
)
