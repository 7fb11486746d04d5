"""Judge the plans of run stores again, without running a planner.

The problems of stored runs are those of the store, and those of a dataset.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline.answers.readers import plan_text
from pddl_pipeline.io.spool import Spool
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.planners.attempt import ANSWERS
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.jobs import problem_hash, run_key
from pddl_pipeline.runs.running import verdict_fields
from pddl_pipeline.runs.solving import judge_plans
from pddl_pipeline.runs.store import LOGS, Replaced, RunStore, stored_problem
from pddl_pipeline.translators import encodings_of, translate, translate_and_read
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.version import FIRST_VERSION, VERDICT_VERSION


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


def older_version(result: RunResult) -> int | None:
    """Return the version of the verdict on a plan if it is older than this program's, else None.

    A verdict without a plan is never older, since there is nothing to judge again.
    """
    version = result.verdict_version or FIRST_VERSION
    has_verdict = result.plan is not None and result.status is not None
    return version if has_verdict and version < VERDICT_VERSION else None


class Change(NamedTuple):
    """A verdict that changed."""

    id: str
    """Id of the instance."""
    planner: str
    old: str
    """The verdict, its cost and whether it is within the budget, as far as they apply."""
    new: str
    reason: str | None
    """The reason of the new verdict."""


class Left(NamedTuple):
    """A verdict that stays, although it is older."""

    id: str
    """Id of the instance."""
    planner: str
    reason: str


@dataclass(slots=True)
class Rejudged:
    """What was judged again in a store."""

    judged: int = 0
    """Number of runs whose plans were judged."""
    changes: list[Change] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    replaced: Replaced | None = None
    """The old lines of the runs that were judged."""


def rejudge(store: RunStore, problems: DatasetProblems) -> Rejudged:
    """Judge all stored plans again whose verdict has an older version.

    Only the verdict changes, with its cost, steps, reason and opinions. If answers of a language
    model are stored, the plan is read from the first one again. The old lines are kept in another
    file; see `replace_lines`.

    Raises:
        InputError: a file cannot be written; the store is unchanged.
    """
    done = Rejudged()

    def judged(result: RunResult) -> RunResult:
        found = _judged(result, store.folder, problems)
        if isinstance(found, str):
            done.left.append(Left(result.id, result.planner, found))
            return result
        done.judged += 1
        old, new = _verdict_text(result), _verdict_text(found)
        if old != new:
            done.changes.append(Change(result.id, result.planner, old, new, found.reason))
        return found

    done.replaced = store.update(lambda result: older_version(result) is not None, judged)
    return done


def _judged(result: RunResult, folder: Path, problems: DatasetProblems) -> RunResult | str:
    """Return a run with the present verdict on its plans, or why they cannot be judged."""
    plans = _plans(result, folder)
    if plans is None:
        return f"not all of its {result.plans} plans are stored"
    problem = problems.find(result, folder)
    if isinstance(problem, str):
        return problem
    answer = _first_answer(folder / LOGS / result.key / ANSWERS)
    if answer is not None:  # of a language model: its reading may have changed
        plans = [plan_text(answer, problem.instance, problem.task)]
    verdict = judge_plans(plans, problem.task, problem.instance)
    return replace(result, **verdict_fields(verdict), problem=problem.hash)


def _first_answer(file: Path) -> str | None:
    """Return the first answer that a language model gave in a run; None if none is stored."""
    if not file.is_file():
        return None
    with file.open(encoding="utf-8") as lines:
        found = (each for each in map(json.loads, lines) if each.get("attempt") == 1)
        return next((each["answer"] for each in found), None)


def _plans(result: RunResult, folder: Path) -> Sequence[str] | None:
    """Return the texts of the plans of a run; None if one of several is not stored."""
    files = folder / LOGS / result.key
    # The first stores do not have the number of plans.
    count = len([*files.glob("*.plan")]) if result.plans is None else result.plans
    if count <= 1:
        return ["".join(f"{line}\n" for line in result.plan or ())]
    texts = [files / f"{number}.plan" for number in range(1, count + 1)]
    if not all(file.is_file() for file in texts):
        return None
    return [file.read_bytes().decode(errors="replace") for file in texts]


def _verdict_text(result: RunResult) -> str:
    cost = "" if result.cost is None else f", cost {number_text(result.cost)}"
    over = ", over its budget" if result.within_budget is False else ""
    return f"{result.status}{cost}{over}"
