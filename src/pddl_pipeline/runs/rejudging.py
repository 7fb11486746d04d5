"""Judge the plans of run stores again, without running a planner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline.model.attempt import TimedPlan
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.result import RunResult, improvements_of
from pddl_pipeline.runs.jobs import entry_of, problem_hash
from pddl_pipeline.runs.running import verdict_fields
from pddl_pipeline.runs.solving import judge_plans
from pddl_pipeline.runs.store import LOGS, RunStore, stored_problem
from pddl_pipeline.translators import encodings_of, translate_and_read
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.version import FIRST_VERSION, VERDICT_VERSION


class JudgedProblem(NamedTuple):
    """What is needed to judge a plan."""

    instance: Instance[Any]
    task: Task


def problem_of(result: RunResult, folder: Path) -> JudgedProblem | str:
    """Return the problem of a run in a store, or why there is nothing to judge.

    A hash proves that the problem is that of the run.
    """
    if result.plan is None:
        return result.reason or ""
    if not result.problem:
        return "a version before 1.0.0 stored it, without its problem"
    instance = stored_problem(folder, result.problem)
    if instance is None:
        return "the store does not have its problem"
    # The store keeps the record; its hash says in which encoding the planners got it.
    for encoding in encodings_of(instance):
        problem, task = translate_and_read(instance, encoding=encoding)
        if problem_hash(problem) == result.problem:
            return JudgedProblem(instance, task)
    return "its problem is stored differently by this version"


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


@dataclass(slots=True)
class Rejudged:
    """What was judged again in a store."""

    judged: int = 0
    """Number of runs whose plans were judged."""
    changes: list[Change] = field(default_factory=list)
    left: dict[str, list[str]] = field(default_factory=dict)
    """The runs whose verdicts stay, although they are older, by the reason."""
    replaced: Path | None = None
    """The file with the old lines of the runs whose verdicts changed."""


def rejudge(store: RunStore) -> Rejudged:
    """Judge all stored plans again whose verdict has an older version.

    Only the verdict changes, with its cost, steps, reason and opinions. The old lines
    are kept in another file; see `RunStore.update`.

    Raises:
        InputError: a file cannot be written; the store is unchanged.
    """
    done = Rejudged()

    def judged(result: RunResult) -> RunResult:
        found = _judged(result, store.folder)
        if isinstance(found, str):
            done.left.setdefault(found, []).append(f"{result.id} ({result.planner})")
            return result
        done.judged += 1
        old, new = _verdict_text(result), _verdict_text(found)
        if old != new:
            done.changes.append(Change(result.id, result.planner, old, new, found.reason))
        return found

    done.replaced = store.update(lambda result: older_version(result) is not None, judged)
    return done


def _judged(result: RunResult, folder: Path) -> RunResult | str:
    """Return a run with the present verdict on its plans, or why they cannot be judged."""
    plans = _plans(result, folder)
    if plans is None:
        return f"not all of its {_count(result)} plans are stored"
    problem = problem_of(result, folder)
    if isinstance(problem, str):
        return problem
    # Runs of planners that return several plans have no improvements.
    old = result.improvements or ()
    again = (
        TimedPlan(
            before.time_s, plan, judge_plan(plan, problem.task, problem.instance, result.delta)
        )
        for before, plan in zip(old, plans, strict=False)
    )
    improvements = improvements_of(again) or None
    # An anytime planner claims its best plan only, and a top-k planner all of its plans.
    claimed = [_claim(result)] if len(old) > 1 else plans
    verdict = judge_plans(claimed, problem.task, problem.instance, result.delta)
    return replace(result, improvements=improvements, **verdict_fields(verdict))


def _plans(result: RunResult, folder: Path) -> Sequence[str] | None:
    """Return the texts of the plans of a run; None if one of several is not stored."""
    if _count(result) == 1:
        return [_claim(result)]
    files = entry_of(folder / LOGS, result.key)
    texts = [files / f"{number}.plan" for number in range(1, _count(result) + 1)]
    if not all(file.is_file() for file in texts):
        return None
    return [file.read_bytes().decode(errors="replace") for file in texts]


def _count(result: RunResult) -> int:
    return max(len(result.improvements or ()), result.plans or 1)


def _claim(result: RunResult) -> str:
    return "".join(f"{line}\n" for line in result.plan or ())


def _verdict_text(result: RunResult) -> str:
    cost = "" if result.cost is None else f", cost {number_text(result.cost)}"
    over = ", over its budget" if result.within_budget is False else ""
    return f"{result.status}{cost}{over}"
