"""The problems to which stored runs belong: those of a store, and those of a dataset."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline.io.spool import Spool
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.jobs import problem_hash, run_key
from pddl_pipeline.runs.stored_problems import stored_problem
from pddl_pipeline.translators import encodings_of, translate, translate_and_read
from pddl_pipeline.validation.task import Task


class JudgedProblem(NamedTuple):
    """What is needed to judge a plan."""

    instance: Instance[Any]
    task: Task
    hash: str
    """See `problem_hash`."""


class DatasetProblems(AbstractContextManager["DatasetProblems"]):
    """The problems of a dataset, stored on disk, and of run stores.

    A run belongs to a problem only if a hash proves it: instances of several datasets may have the
    same ids.
    """

    def __init__(self, planners: Iterable[str] = (), limits: Limits | None = None) -> None:
        """Open an empty collection.

        Args:
            planners: the names of planners that `planner_named` does not find by the name alone,
                such as commands.
            limits: limits of runs, if they may be other than the stored limits, which are rounded.

        Raises:
            InputError: the name of a planner is unknown.
        """
        self._planners = {each.name: each for each in map(planner_named, planners)}
        self._limits = limits
        self._instances = Spool()
        self._places: dict[tuple[str, str], int] = {}

    def add(self, instance: Instance[Any]) -> None:
        """Add an instance, whose id is not that of another one.

        Raises:
            InputError: the disk is full.
        """
        self._places[instance.domain, instance.id] = len(self._instances)
        self._instances.add(pickle.dumps(instance))

    def find(self, result: RunResult, folder: Path) -> JudgedProblem | str:
        """Return the problem of a run, or the reason why it is not known.

        Args:
            result: the run.
            folder: its run store, which may contain the problem.
        """
        planner = None if result.problem else self._planner(result.planner)
        given = False
        for instance in self._candidates(result, folder):
            given = True
            for encoding in encodings_of(instance):
                texts = translate(instance, encoding=encoding)
                if self._is_of(result, instance, texts, planner):
                    task = translate_and_read(instance, encoding=encoding)[1]
                    return JudgedProblem(instance, task, problem_hash(texts))
        if not given:
            return "neither the store nor the data have its problem"
        if not result.problem and planner is None:
            return f"its problem is only known with the planner '{result.planner}': use --planner"
        return "the data have another problem with this id"

    def _candidates(self, result: RunResult, folder: Path) -> Iterator[Instance[Any]]:
        stored = stored_problem(folder, result.problem) if result.problem else None
        if stored is not None:
            yield stored
        place = self._places.get((result.domain, result.id))
        if place is not None:
            # A pickle of this process, from a file that no other process can open.
            yield pickle.loads(self._instances[place])  # noqa: S301

    def _planner(self, name: str) -> Planner | None:
        try:
            return self._planners.get(name) or planner_named(name)
        except InputError:
            return None

    def _is_of(
        self, result: RunResult, instance: Instance[Any], texts: Problem, planner: Planner | None
    ) -> bool:
        """Return whether a run was of a problem: by its hash, in the first stores by its key."""
        if result.problem:
            return result.problem == problem_hash(texts)
        return planner is not None and any(
            result.key
            == run_key(
                instance, texts, planner, limits, via_up=via_up, version=result.planner_version
            )
            for limits in self._possible_limits(result)
            for via_up in (False, True)
        )

    def _possible_limits(self, result: RunResult) -> Iterator[Limits]:
        if self._limits is not None:
            yield self._limits
        stored = result.limits
        yield Limits(stored["time_s"], int(stored["memory_mb"] * 2**20), stored.get("cpu_s"))

    def __exit__(self, *error: object) -> None:
        self._instances.close()
