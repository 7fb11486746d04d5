"""Lights: lamps that can be switched on.

The entry point of this module has the domain's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.translators.problems import goal_atoms, objects_of, problem_text
from pddl_pipeline.translators.translator import Translator
from pddl_pipeline.validation.task import Task

FOLDER = Path(__file__).parent / "lights"
"""The domain's data: domain.pddl, words.toml, examples.jsonl."""


@dataclass(frozen=True, slots=True)
class Lights:
    """The lamps, all off, and those that must be on."""

    lamps: tuple[str, ...]
    goal: tuple[str, ...]


def _problem(instance: Instance[Lights]) -> str:
    record = instance.record
    objects: dict[str, str | None] = dict.fromkeys(record.lamps, "lamp")
    off = [("off", lamp) for lamp in record.lamps]
    return problem_text(instance.id, "lights", objects, off, [("on", x) for x in record.goal])


def _recover(task: Task, _: str) -> Lights:
    return Lights(objects_of(task, "lamp"), tuple(lamp for _, lamp in goal_atoms(task)))


def _referee(instance: Instance[Lights], plan: Plan) -> str | None:
    switched = {step.arguments[0] for step in plan}
    missing = sorted(set(instance.record.goal) - switched)
    return f"{missing[0]} is off" if missing else None


TRANSLATOR = Translator(
    record_type=Lights,
    size=lambda record: len(record.lamps),
    unit="lamps",
    problem=_problem,
    recover=_recover,
    referee=_referee,
)
