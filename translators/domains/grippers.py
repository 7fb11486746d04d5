"""Grippers: robots with several grippers carry balls between rooms (SimPlan, appendix F)."""

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
    natural,
)
from pddl_pipeline.translators.problems import facts_named, goal_atoms, objects_of, problem_text
from pddl_pipeline.translators.referee import Board, Fact, Move
from pddl_pipeline.translators.translator import Translator
from pddl_pipeline.validation.task import Task


@dataclass(frozen=True, slots=True)
class Grippers:
    """The initial rooms of robots and balls, and the goal. All grippers are free at the start.

    Names are kept sorted.
    """

    robots: dict[str, tuple[str, ...]]
    """The grippers of each robot."""
    rooms: tuple[str, ...]
    balls: tuple[str, ...]
    at: dict[str, str]
    """Room of each robot and each ball."""
    goal: dict[str, str]
    """Goal room, for at least one ball."""

    def __post_init__(self) -> None:
        grippers = [gripper for group in self.robots.values() for gripper in group]
        check_names("grippers", "robots", [*self.robots, *grippers])
        check_names("grippers", "rooms", [*self.robots, *grippers, *self.rooms])
        check_names("grippers", "balls", [*self.robots, *grippers, *self.rooms, *self.balls])
        check_keys("at", self.at, [*self.robots, *self.balls])
        check_known("at", self.at.values(), self.rooms, "a room")
        check_known("goal", self.goal, self.balls, "a ball")
        check_known("goal", self.goal.values(), self.rooms, "a room")
        if not self.goal:
            raise FieldFault("goal", "found no ball, expected at least one")
        keep_sorted(self, "rooms", "balls")
        robots = {robot: tuple(sorted(g, key=natural)) for robot, g in self.robots.items()}
        object.__setattr__(self, "robots", robots)


def _problem(instance: Instance[Grippers]) -> str:
    task = instance.record
    objects: dict[str, str | None] = dict.fromkeys(task.rooms, "room")
    objects |= dict.fromkeys(task.balls, "ball") | dict.fromkeys(task.robots, "robot")
    facts: list[Fact] = []
    for robot, grippers in task.robots.items():
        objects |= dict.fromkeys(grippers, "gripper")
        facts += [("free", robot, gripper) for gripper in grippers]
    for name, room in task.at.items():
        facts.append(("at-robby" if name in task.robots else "at", name, room))
    goal = [("at", ball, room) for ball, room in sorted(task.goal.items())]
    return problem_text(instance.id, "grippers", objects, facts, goal)


def _recover(task: Task, _: str) -> Grippers:
    robots: dict[str, tuple[str, ...]] = dict.fromkeys(objects_of(task, "robot"), ())
    # All grippers are free at the start, so these facts name each with its robot.
    for _, robot, gripper in facts_named(task, "free"):
        robots[robot] = (*robots[robot], gripper)
    places = facts_named(task, "at") + facts_named(task, "at-robby")
    return Grippers(
        robots,
        objects_of(task, "room"),
        objects_of(task, "ball"),
        {name: room for _, name, room in places},
        {ball: room for _, ball, room in goal_atoms(task)},
    )


_HANDLED: Final = ("robot", "ball", "room", "gripper")
_MOVES: Final = {
    "move": Move(("robot", "from", "to"), {"robot": "from"}, {"robot": "to"}),
    "pick": Move(
        _HANDLED,
        {"robot": "room", "gripper": "robot", "ball": "room"},
        {"ball": "gripper"},
        clear=("gripper",),
    ),
    "drop": Move(
        _HANDLED, {"robot": "room", "gripper": "robot", "ball": "gripper"}, {"ball": "room"}
    ),
}


def _referee(instance: Instance[Grippers], plan: Plan) -> str | None:
    task = instance.record
    grippers = {gripper: robot for robot, group in task.robots.items() for gripper in group}
    # A gripper is at its robot, and a ball that is carried is at the gripper.
    return Board(_MOVES, task.at | grippers).fault(plan, task.goal.items())


TRANSLATOR = Translator(
    record_type=Grippers,
    size=lambda task: len(task.balls),
    unit="balls",
    problem=_problem,
    recover=_recover,
    referee=_referee,
)
