"""The runs of an experiment: every planner on every instance, in an order of their own."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import choose_planner, planner_named, planner_version
from pddl_pipeline.translators import features_of, translate
from pddl_pipeline.translators.translator import PAPER

SHARD: Final = "shard-"
"""How the names of folders with parts of an experiment begin."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run to be made; small enough to be sent to another machine."""

    key: str
    instance: Instance[Any]
    planner: str
    """Its name."""
    limits: Limits
    via_up: bool = False
    """Whether Unified Planning runs the planner; see `attempt`."""
    encoding: str = PAPER
    """Of the PDDL that the planner gets; see `translate`."""


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


def jobs_for(  # noqa: PLR0913 -- what an experiment consists of
    instances: Sequence[Instance[Any]],
    names: Sequence[str],
    limits: Limits,
    *,
    via_up: bool = False,
    encoding: str = PAPER,
    order_seed: int = 0,
    shard: Shard = Shard(),
) -> Iterator[Job]:
    """Yield a job for each instance and each of its planners, in an order that the seed gives.

    In the order of the data, what disturbs a machine for some time would disturb one domain or one
    planner alone. Problems are translated one by one, for their keys.
    """
    pairs = [
        (index, planner.name)
        for index, instance in enumerate(instances)
        for planner in planners_for(instance, names)
    ]
    Random(order_seed).shuffle(pairs)  # noqa: S311 -- no secret
    for index, name in pairs:
        instance = instances[index]
        texts = translate(instance, encoding=encoding)
        key = run_key(instance, texts, planner_named(name), limits, via_up=via_up)
        if shard.holds(key):
            yield Job(key, instance, name, limits, via_up, encoding)


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
        "domain": problem.domain,
        "problem": problem.problem,
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
