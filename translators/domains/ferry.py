"""Ferry: a ferry carries cars, one at a time, to their locations (SimPlan, Figure 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.translators.field_checks import (
    FieldFault,
    check_keys,
    check_known,
    check_names,
    keep_sorted,
)
from pddl_pipeline.translators.problems import (
    facts_named,
    goal_atoms,
    objects_of,
    only,
    problem_text,
)
from pddl_pipeline.translators.referee import Board, Fact, Move
from pddl_pipeline.translators.translator import Translator
from pddl_pipeline.validation.task import Task


@dataclass(frozen=True, slots=True)
class Ferry:
    """The initial locations of cars and ferry, and the goal. Names are kept sorted."""

    locations: tuple[str, ...]
    cars: tuple[str, ...]
    at: dict[str, str]
    """Location of each car that is not aboard."""
    aboard: str | None
    """The car on the ferry."""
    ferry: str
    """Location of the ferry."""
    goal: dict[str, str]
    """Goal location, for at least one car."""

    def __post_init__(self) -> None:
        check_names("ferry", "locations", self.locations)
        check_names("ferry", "cars", self.cars)
        shared = set(self.locations) & set(self.cars)
        if shared:
            raise FieldFault("cars", f"'{min(shared)}' is also a location")
        if self.aboard is not None:
            check_known("aboard", [self.aboard], self.cars, "a car")
        check_keys("at", self.at, set(self.cars) - {self.aboard})
        check_known("at", self.at.values(), self.locations, "a location")
        check_known("ferry", [self.ferry], self.locations, "a location")
        check_known("goal", self.goal, self.cars, "a car")
        check_known("goal", self.goal.values(), self.locations, "a location")
        if not self.goal:
            raise FieldFault("goal", "found no car, expected at least one")
        keep_sorted(self, "locations", "cars")


def _problem(instance: Instance[Ferry]) -> str:
    task = instance.record
    objects: dict[str, str | None] = dict.fromkeys(task.locations, "location")
    objects |= dict.fromkeys(task.cars, "car")
    facts: list[Fact] = [("at", car, location) for car, location in task.at.items()]
    facts.append(("at-ferry", task.ferry))
    facts.append(("empty-ferry",) if task.aboard is None else ("on", task.aboard))
    goal = [("at", car, location) for car, location in sorted(task.goal.items())]
    return problem_text(instance.id, "ferry", objects, facts, goal)


def _recover(task: Task, _: str) -> Ferry:
    return Ferry(
        objects_of(task, "location"),
        objects_of(task, "car"),
        {car: location for _, car, location in facts_named(task, "at")},
        only([car for _, car in facts_named(task, "on")]),
        facts_named(task, "at-ferry")[0][1],
        {car: location for _, car, location in goal_atoms(task)},
    )


_MOVES: Final = {
    "sail": Move(("from", "to"), {"FERRY": "from"}, {"FERRY": "to"}),
    "board": Move(
        ("car", "place"), {"FERRY": "place", "car": "place"}, {"car": "FERRY"}, ("FERRY",)
    ),
    "debark": Move(("car", "place"), {"FERRY": "place", "car": "FERRY"}, {"car": "place"}),
}


def _referee(instance: Instance[Ferry], plan: Plan) -> str | None:
    task = instance.record
    aboard = {} if task.aboard is None else {task.aboard: "FERRY"}
    board = Board(_MOVES, {**task.at, **aboard, "FERRY": task.ferry})
    return board.fault(plan, task.goal.items())


TRANSLATOR = Translator(
    record_type=Ferry,
    size=lambda task: len(task.cars),
    unit="cars",
    problem=_problem,
    recover=_recover,
    referee=_referee,
)
