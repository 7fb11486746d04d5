"""Jobs, keys, shards, and the queue of an experiment: every planner on every instance."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.spool import Spool
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import number_json
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.result import RunResult, RunSummary
from pddl_pipeline.planners.attempting import check_engine
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import choose_planner, planner_named, planner_version
from pddl_pipeline.runs.kept_keys import KeptKeys
from pddl_pipeline.translators import features_of, translate, translate_and_read
from pddl_pipeline.translators.translator import PAPER
from pddl_pipeline.validation.task import Task

SHARD: Final = "shard-"
"""Prefix of the names of folders with parts of an experiment."""


def entry_of(folder: Path, name: str) -> Path:
    """Return an entry of a folder of a store that may have a million of them.

    It is in a subfolder by its first characters, or beside the others if a former version of this
    program stored it there.
    """
    entry, former = folder / name[:2] / name, folder / name
    return former if former.exists() and not entry.exists() else entry


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
    repetition: int = 1
    missing: str = ""
    """Why the planner cannot be started; empty if it can."""
    answers: str = ""
    """File of this machine for a language model's answers, which outlives an interrupted run; empty
    if there is none."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished run."""

    result: RunResult
    files: Mapping[str, bytes]
    """The files to store with the result, by name: the planner's raw output, the plans if there are
    several, and the answers of a language model."""


class ScheduledRun(NamedTuple):
    """A run that a command is to make: a planner on an instance."""

    planner: str
    """Name of the planner."""
    domain: str
    id: str
    """Id of the instance."""
    size: int
    repetition: int = 1


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of an experiment, for machines that do not communicate."""

    index: int = 1
    """1-based."""
    count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise InputError(f"shard {self.index}/{self.count}: expected one of 1 to {self.count}")

    def holds(self, run: ScheduledRun) -> bool:
        """Return whether a run belongs to this shard; every run belongs to exactly one.

        It does not depend on the PDDL, which takes much longer to write.
        """
        # Not `hash`, which differs from process to process, and so between the machines.
        name = "\0".join(map(str, run)).encode(errors="surrogatepass")
        digest = hashlib.blake2b(name, digest_size=8).digest()
        return int.from_bytes(digest) % self.count == self.index - 1

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


def problem_hash(problem: Problem) -> str:
    """Return the hash of all that determines the verdict on a plan: the PDDL and the budget."""
    parts = (problem.domain_pddl, problem.problem_pddl, number_json(problem.budget))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def run_key(
    instance: Instance[Any],
    problem: Problem,
    planner: Planner,
    limits: Limits,
    repetition: int = 1,
) -> str:
    """Return the hash of everything that determines a run and the verdict on its plan.

    Args:
        instance: the instance.
        problem: the instance as PDDL, as the planner reads it.
        planner: the planner.
        limits: the limits of the attempt.
        repetition: the number of the repetition; the first has the key of a run without any.
    """
    parts = {
        "problem": problem.problem_pddl,
        "id": instance.id,
        "size": instance.size,
        "planner": planner.name,
        "version": planner_version(planner),
        "options": planner.options,
        "via_up": False,  # of an option of former versions
        # Numbers as the command line has them, so that 30 and 30.0 seconds are the same limit.
        "limits": [
            float(limits.time_s),
            limits.memory_bytes,
            None if limits.cpu_s is None else float(limits.cpu_s),
        ],
        "seed": None,
    }
    if planner.needs.record:
        parts["witness"] = problem.witness
    if repetition > 1:
        parts["repetition"] = repetition
    found = _start_of_key(instance.budget, problem.domain_pddl).copy()
    # Both texts together are one object of JSON, and have its hash.
    found.update(json.dumps(parts, sort_keys=True)[1:].encode())
    return found.hexdigest()[:32]


@lru_cache(maxsize=100)
def _start_of_key(budget: int | None, domain: str) -> hashlib._Hash:
    """Return the hash of the first parts in their order, which many runs have in common."""
    return hashlib.sha256(json.dumps({"budget": budget, "domain": domain})[:-1].encode() + b", ")


def _settings(encoding: str, limits: Limits, planner: Planner, repetition: int) -> bytes:
    """Return the hash of all that determines the key of a run beside its instance."""
    # The encoding stands for the domain; the witness counts for planners that read records.
    nothing = Problem(encoding, "", None, ("witness",))
    return run_key(Instance("", "", 0, None), nothing, planner, limits, repetition).encode()


NO_RUNS: Final[Mapping[str, RunSummary]] = MappingProxyType({})


class JobQueue(AbstractContextManager["JobQueue"]):
    """Jobs that are stored on disk until they run.

    Each instance with a job is translated, and its task read, once, when it is added. The queue
    takes about 300 bytes of memory per job, and 200 per run without one, regardless of the size of
    the problems.
    """

    def __init__(  # noqa: PLR0913 -- what an experiment consists of
        self,
        names: Sequence[str],
        limits: Limits,
        *,
        encoding: str = PAPER,
        repeat: int = 1,
        shard: Shard = WHOLE,
        stored: Mapping[str, RunSummary] = NO_RUNS,
        keys: KeptKeys | None = None,
    ) -> None:
        """Open an empty queue.

        Args:
            names: names of planners; if empty, each instance gets the one that suits its domain.
            limits: limits of each attempt.
            encoding: encoding of the PDDL that the planners read; see `translate`.
            repeat: number of runs of each planner on each instance.
            shard: the part of the experiment that is queued.
            stored: the runs that get no job, because a store has them, by key.
            keys: the keys that the store keeps.

        Raises:
            InputError: the name of a planner is unknown.
        """
        self.keys = keys or KeptKeys()
        self._settings = cache(partial(_settings, encoding, limits))
        self._named = [planner_named(name) for name in dict.fromkeys(names)]
        self._repetitions = range(1, repeat + 1)
        self.limits = limits
        self.shard = shard
        self._encoding = encoding
        self._stored = stored
        self._prepared = Spool()
        self._jobs: list[tuple[str, str, int, int]] = []
        self._references: dict[str, str] = {}
        self.runs: dict[str, ScheduledRun] = {}
        """The runs of the shard by key, by instance, then planner, as they were added."""
        self.elsewhere: list[ScheduledRun] = []
        """The runs of other shards."""
        self.planners: dict[str, Planner] = {}
        """Every planner that a run needs, by `Planner.reference`."""
        self.missing: dict[str, str] = {}
        """Why planners cannot be started on this machine, by `Planner.reference`; see
        `check_engines`."""

    def add(self, instance: Instance[Any]) -> None:
        """Queue a job for each run on an instance that belongs to the shard and is not stored.

        Raises:
            InputError: the name of a planner is that of another planner, the instance does not have
                the encoding, or the disk is full.
        """
        problem = lru_cache(1)(partial(translate, instance, encoding=self._encoding))
        jobs = []
        for planner in self._planners_for(instance):
            for repetition in self._repetitions:
                run = ScheduledRun(
                    planner.name, instance.domain, instance.id, instance.size, repetition
                )
                if not (self.shard.count == 1 or self.shard.holds(run)):
                    self.elsewhere.append(run)
                    continue
                # Translated at most once, and not at all if every key is known.
                key = self.keys.key(
                    self._settings(planner, repetition),
                    instance,
                    lambda: run_key(instance, problem(), planner, self.limits, repetition),  # noqa: B023
                )
                self.runs[key] = run
                if key not in self._stored:
                    # The place that the instance gets in the spool below, once for all its jobs.
                    jobs.append((key, planner.reference, len(self._prepared), repetition))
        if jobs:
            self._prepared.add(
                pickle.dumps((instance, *translate_and_read(instance, encoding=self._encoding)))
            )
            self._jobs += jobs

    def _planners_for(self, instance: Instance[Any]) -> Iterator[Planner]:
        for named in self._named or [choose_planner(features_of(instance))]:
            # The same object each time, so that 100,000 jobs share its strings.
            planner = self.planners.setdefault(named.reference, named)
            if self._references.setdefault(planner.name, planner.reference) != planner.reference:
                raise InputError(f"two planners have the name '{planner.name}'")
            yield planner

    def check_engines(self) -> None:
        """Find the planners that cannot be started on this machine; see `check_engine`.

        Their runs are ``unsupported``, so that they do not stop the runs of the others.

        Raises:
            EngineError: no planner can be started: none, or what it needs, is installed.
        """
        for planner in self.planners.values():
            try:
                check_engine(planner)
            except EngineError as error:
                self.missing[planner.reference] = f"{planner.name}: {error}"
                if len(self.missing) == len(self.planners):
                    raise

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def stored(self) -> list[RunSummary]:
        """The runs that get no job."""
        return [self._stored[key] for key in self.runs if key in self._stored]

    def queued(self) -> Iterator[ScheduledRun]:
        """Yield the runs that get a job, by instance, then planner, as they were added."""
        return (run for key, run in self.runs.items() if key not in self._stored)

    def jobs(self, *, order_seed: int = 0, answers: Path | None = None) -> Iterator[Job]:
        """Yield the jobs in a random order that depends on the seed.

        `answers` is the folder for the answers of language models, if it is on this machine.

        In the order of the data, a temporary disturbance of a machine would affect only one domain
        or one planner.
        """
        jobs = self._jobs.copy()
        Random(order_seed).shuffle(jobs)
        for key, name, index, repetition in jobs:
            # Pickles of this process, from a file that no other process can open.
            instance, problem, task = pickle.loads(self._prepared[index])  # noqa: S301
            keeps = self.planners[name].needs.answers
            file = str(entry_of(answers.absolute(), f"{key}.jsonl")) if answers and keeps else ""
            yield Job(
                key, instance, problem, task, name, self.limits, repetition,
                self.missing.get(name, ""), file,
            )  # fmt: skip

    def close(self) -> None:
        """Remove the stored jobs from the disk."""
        self._prepared.close()

    def __exit__(self, *error: object) -> None:
        self.close()
