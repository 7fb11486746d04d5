"""A run to be made, its key, and the shard that it belongs to."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import choose_planner, planner_named, planner_version
from pddl_pipeline.translators import features_of
from pddl_pipeline.validation.task import Task

SHARD: Final = "shard-"
"""How the names of folders with parts of an experiment begin."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run to be made; small enough to be sent to another machine."""

    key: str
    instance: Instance[Any]
    problem: Problem
    """The instance as PDDL, as the planner gets it."""
    task: Task = field(compare=False, repr=False)
    """The same as the validator has read it."""
    planner: str
    """Its name."""
    limits: Limits
    via_up: bool = False
    """Whether Unified Planning runs the planner; see `attempt`."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of an experiment, for machines that know nothing of each other."""

    index: int = 1
    """From 1."""
    count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise InputError(f"shard {self.index}/{self.count}: expected one of 1 to {self.count}")

    def holds(self, key: str) -> bool:
        """Whether a run belongs to this part; every run belongs to exactly one."""
        return int(key, 16) % self.count == self.index - 1

    @property
    def folder(self) -> str:
        """Name of the folder of its run store; empty where there are no other parts."""
        return f"{SHARD}{self.index}-of-{self.count}" if self.count > 1 else ""


WHOLE: Final = Shard()
"""The one shard of an experiment that is not split."""


def parse_shard(text: str) -> Shard:
    """Read a shard such as ``3/8``.

    Raises:
        InputError: anything else.
    """
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if match is None:
        raise InputError(f"'{text}' is not a shard; expected one such as 3/8")
    return Shard(int(match[1]), int(match[2]))


def planners_for(instance: Instance[Any], names: Sequence[str]) -> list[Planner]:
    """Return the planners of these names; without names, the one that suits the domain.

    Raises:
        InputError: there is no such planner.
    """
    if names:
        return [planner_named(name) for name in dict.fromkeys(names)]
    return [choose_planner(features_of(instance))]


def run_key(
    instance: Instance[Any],
    problem: Problem,
    planner: Planner,
    limits: Limits,
    *,
    via_up: bool = False,
) -> str:
    """Return the hash of everything that determines a run and the verdict on its plan."""
    parts = {
        "domain": problem.domain_pddl,
        "problem": problem.problem_pddl,
        "id": instance.id,
        "size": instance.size,
        "budget": instance.budget,
        "planner": planner.name,
        "version": planner_version(planner),
        "options": planner.options,
        "via_up": via_up,
        "limits": [limits.time_s, limits.memory_bytes, limits.cpu_s],
        "seed": None,
    }
    if planner.reads_record:
        parts["witness"] = problem.witness
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
