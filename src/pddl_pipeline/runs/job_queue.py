"""The queue of the runs of an experiment: every planner on every instance."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pddl_pipeline.io.spool import Spool
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.attempt import check_engine, check_settings
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.runs.jobs import WHOLE, Job, Shard, planners_for, run_key
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.translator import PAPER


class ScheduledRun(NamedTuple):
    """A run that a command is to make: a planner on an instance."""

    planner: str
    """Name of the planner."""
    domain: str
    id: str
    """Id of the instance."""
    size: int


class JobQueue(AbstractContextManager["JobQueue"]):
    """Jobs that are stored on disk until they run.

    Each instance is translated, and its task read, once, when it is added. The queue takes about
    200 bytes of memory per job, and as many per instance, regardless of the size of the problems.
    """

    def __init__(
        self,
        names: Sequence[str],
        limits: Limits,
        *,
        via_up: bool = False,
        encoding: str = PAPER,
    ) -> None:
        """Open an empty queue.

        Args:
            names: names of planners; if empty, each instance gets the one that suits its domain.
            limits: limits of each attempt.
            via_up: whether Unified Planning runs the planners; see `attempt`.
            encoding: encoding of the PDDL that the planners read; see `translate`.
        """
        self._names = names
        self.limits = limits
        self._via_up = via_up
        self._encoding = encoding
        self._prepared = Spool()
        self._jobs: list[tuple[str, str, int]] = []
        self._instances: list[tuple[str, str, int]] = []
        self._references: dict[str, str] = {}
        self.planners: dict[str, Planner] = {}
        """Every planner that a job needs, by `Planner.reference`."""

    @property
    def chooses_planners(self) -> bool:
        """Whether each instance gets the planner that suits its domain."""
        return not self._names

    def add(self, instance: Instance[Any]) -> None:
        """Translate an instance, read its task, and queue a job for each of its planners.

        Raises:
            InputError: the name of a planner is unknown or that of another planner, the instance
                does not have the encoding, or the disk is full.
        """
        problem, task = translate_and_read(instance, encoding=self._encoding)
        for named in planners_for(instance, self._names):
            planner = self.planners.setdefault(named.reference, named)
            if self._references.setdefault(planner.name, planner.reference) != planner.reference:
                raise InputError(f"two planners have the name '{planner.name}'")
            key = run_key(instance, problem, planner, self.limits, via_up=self._via_up)
            # The planner's own string, so that 100,000 jobs share it.
            self._jobs.append((key, planner.reference, len(self._prepared)))
        self._instances.append((instance.domain, instance.id, instance.size))
        self._prepared.add(pickle.dumps((instance, problem, task)))

    def check_engines(self) -> None:
        """Check that every planner of a job can be started on this machine; see `check_engine`.

        Raises:
            EngineError: a planner, or what it needs, is not installed.
            InputError: an engine does not accept its settings; see `check_settings`.
        """
        for planner in self.planners.values():
            check_engine(planner, via_up=self._via_up)
            check_settings(planner)

    def __len__(self) -> int:
        return len(self._jobs)

    def keys(self) -> list[str]:
        """Return the keys of all runs, each once, by instance, then planner, as they were added."""
        return list(dict.fromkeys(key for key, _, _ in self._jobs))

    def scheduled(self) -> Iterator[tuple[str, ScheduledRun]]:
        """Yield each run with its key, in the order in which they were added."""
        for key, reference, index in self._jobs:
            yield key, ScheduledRun(self.planners[reference].name, *self._instances[index])

    def jobs(
        self, *, order_seed: int = 0, shard: Shard = WHOLE, answers: Path | None = None
    ) -> Iterator[Job]:
        """Yield the jobs of a shard in a random order that depends on the seed.

        `answers` is the folder for the answers of language models, if it is on this machine.

        In the order of the data, a temporary disturbance of a machine would affect only one domain
        or one planner.
        """
        jobs = self._jobs.copy()
        Random(order_seed).shuffle(jobs)  # noqa: S311 -- not a secret
        for key, name, index in jobs:
            if shard.holds(key):
                # Pickles of this process, from a file that no other process can open.
                instance, problem, task = pickle.loads(self._prepared[index])  # noqa: S301
                keeps = answers is not None and self.planners[name].keeps_answers
                file = (
                    str(answers.absolute() / f"{key}.jsonl")
                    if answers is not None and keeps
                    else ""
                )
                yield Job(key, instance, problem, task, name, self.limits, self._via_up, file)

    def close(self) -> None:
        """Remove the stored jobs from the disk."""
        self._prepared.close()

    def __exit__(self, *error: object) -> None:
        self.close()
