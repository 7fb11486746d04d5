"""Jobs, their keys, and the shards that they belong to."""

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
from pddl_pipeline.model.number import number_json
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import choose_planner, planner_named, planner_version
from pddl_pipeline.translators import features_of
from pddl_pipeline.validation.task import Task

SHARD: Final = "shard-"
"""Prefix of the names of folders with parts of an experiment."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run to execute; small enough to send to another machine."""

    key: str
    instance: Instance[Any]
    problem: Problem
    """The instance as PDDL, as the planner reads it."""
    task: Task = field(compare=False, repr=False)
    """The same problem as the validator has read it."""
    planner: str
    """Reference to the planner; see `Planner.reference`."""
    limits: Limits
    via_up: bool = False
    """Whether Unified Planning runs the planner; see `attempt`."""
    answers: str = ""
    """File of this machine for a language model's answers, which outlives an interrupted run; empty
    if there is none."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of an experiment, for machines that do not communicate."""

    index: int = 1
    """1-based."""
    count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise InputError(f"shard {self.index}/{self.count}: expected one of 1 to {self.count}")

    def holds(self, key: str) -> bool:
        """Return whether a run belongs to this shard; every run belongs to exactly one."""
        return int(key, 16) % self.count == self.index - 1

    @property
    def folder(self) -> str:
        """Name of the folder of the shard's run store; empty if there are no other shards."""
        return f"{SHARD}{self.index}-of-{self.count}" if self.count > 1 else ""


WHOLE: Final = Shard()
"""The only shard of an experiment that is not split."""


def parse_shard(text: str) -> Shard:
    """Return the shard of a text such as ``3/8``.

    Raises:
        InputError: the text is not a shard.
    """
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if match is None:
        raise InputError(f"'{text}' is not a shard; expected one such as 3/8")
    return Shard(int(match[1]), int(match[2]))


def planners_for(instance: Instance[Any], names: Sequence[str]) -> list[Planner]:
    """Return the planners with these names; without names, the one that suits the domain.

    Raises:
        InputError: a name is unknown.
    """
    if names:
        return [planner_named(name) for name in dict.fromkeys(names)]
    return [choose_planner(features_of(instance))]


def problem_hash(problem: Problem) -> str:
    """Return the hash of all that determines the verdict on a plan: the PDDL and the budget."""
    parts = (problem.domain_pddl, problem.problem_pddl, number_json(problem.budget))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def run_key(  # noqa: PLR0913 -- what a run consists of
    instance: Instance[Any],
    problem: Problem,
    planner: Planner,
    limits: Limits,
    *,
    via_up: bool = False,
    version: str | None = None,
) -> str:
    """Return the hash of everything that determines a run and the verdict on its plan.

    Args:
        instance: the instance.
        problem: the instance as PDDL, as the planner reads it.
        planner: the planner.
        limits: the limits of the attempt.
        via_up: whether Unified Planning runs the planner.
        version: the planner's version; None for the installed one.
    """
    parts = {
        "domain": problem.domain_pddl,
        "problem": problem.problem_pddl,
        "id": instance.id,
        "size": instance.size,
        "budget": instance.budget,
        "planner": planner.name,
        "version": planner_version(planner) if version is None else version,
        "options": planner.options,
        "via_up": via_up,
        "limits": [limits.time_s, limits.memory_bytes, limits.cpu_s],
        "seed": None,
    }
    if planner.reads_record:
        parts["witness"] = problem.witness
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
