"""Grippers: robots with several grippers carry balls between rooms (SimPlan, appendix F)."""

from __future__ import annotations

from dataclasses import dataclass

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.field_checks import (
    FieldFault,
    check_keys,
    check_known,
    check_names,
    keep_sorted,
    natural,
)
from pddl_pipeline.translators.pddl_printing import Fact, problem_text
from pddl_pipeline.translators.recovery import facts_named, goal_atoms, objects_of
from pddl_pipeline.translators.referee import play_all
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


class _Rooms:
    """Robots and balls, simulated without PDDL."""

    def __init__(self, task: Grippers) -> None:
        self.task = task
        self.at = dict(task.at)
        self.held: dict[tuple[str, str], str] = {}

    def play(self, step: Step) -> str | None:
        robot = step.arguments[0]
        if step.action == "move":
            _, source, target = step.arguments
            if self.at[robot] != source:
                return f"{robot} is in {self.at[robot]}"
            self.at[robot] = target
            return None
        _, ball, room, gripper = step.arguments
        if self.at[robot] != room:
            return f"{robot} is in {self.at[robot]}"
        if step.action == "pick":
            return self._pick(robot, ball, room, gripper)
        if self.held.get((robot, gripper)) != ball:
            return f"{gripper} does not hold {ball}"
        del self.held[robot, gripper]
        self.at[ball] = room
        return None

    def _pick(self, robot: str, ball: str, room: str, gripper: str) -> str | None:
        if gripper not in self.task.robots[robot] or (robot, gripper) in self.held:
            return f"{gripper} is not a free gripper of {robot}"
        if self.at.get(ball) != room:
            return f"{ball} is not in {room}"
        self.held[robot, gripper] = ball
        del self.at[ball]
        return None


def _referee(instance: Instance[Grippers], plan: Plan) -> str | None:
    rooms = _Rooms(instance.record)
    goal = instance.record.goal.items()
    return play_all(plan, rooms.play, goal, lambda pair: rooms.at.get(pair[0]) == pair[1])


TRANSLATOR = Translator(
    record_type=Grippers,
    size=lambda task: len(task.balls),
    unit="balls",
    problem=_problem,
    recover=_recover,
    referee=_referee,
)
