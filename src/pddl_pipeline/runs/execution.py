"""Execute one run, on this or any other machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.planners.attempt import ANSWERS, Stop, Stopped
from pddl_pipeline.planners.registry import planner_named, planner_version
from pddl_pipeline.runs.jobs import Job, problem_hash
from pddl_pipeline.runs.solving import Solution, solve_task
from pddl_pipeline.validation.opinions import opinions_json
from pddl_pipeline.validation.version import VERDICT_VERSION

LOG = "engine.log"


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished run."""

    result: RunResult
    files: Mapping[str, bytes]
    """The files to store with the result, by name: the planner's raw output, the plans if there are
    several, and the answers of a language model."""


def execute(job: Job, stop: Stop | None = None) -> Finished:
    """Execute a job and return its run.

    Raises:
        Stopped: ``stop`` is set.
    """
    if stop is not None and stop.is_set():
        raise Stopped
    started = _now()
    solution = solve_task(
        planner_named(job.planner), job.task, job.problem, job.limits,
        via_up=job.via_up, instance=job.instance, stop=stop,
        answers=Path(job.answers) if job.answers else None,
    )  # fmt: skip
    files = {LOG: solution.attempt.log} if solution.attempt.log else {}
    if solution.attempt.answers:
        files[ANSWERS] = solution.attempt.answers
    if solution.attempt.further_plans:
        plans = (solution.attempt.plan or "", *solution.attempt.further_plans)
        files |= {f"{number}.plan": plan.encode() for number, plan in enumerate(plans, start=1)}
    return Finished(_result(job, solution, started, has_log=LOG in files), files)


def lost(job: Job, reason: str) -> Finished:
    """Return the result of a run whose machine was lost, so that nothing else is known."""
    attempt = Attempt(Outcome.LOST, reason=reason)
    solution = Solution(planner_named(job.planner), attempt, None)
    return Finished(_result(job, solution, _now(), has_log=False), {})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def verdict_fields(
    verdict: Verdict | None, names: Iterable[str] = RunResult.__slots__
) -> dict[str, Any]:
    """Return the fields of a result that come from the verdict on its plan, if there is one."""
    found = {name: getattr(verdict, name, None) for name in names if hasattr(Verdict, name)}
    return found | {
        "opinions": {} if verdict is None else opinions_json(verdict.opinions),
        "verdict_version": None if verdict is None else VERDICT_VERSION,
    }


def _result(job: Job, solution: Solution, started: str, *, has_log: bool) -> RunResult:
    """Return the result of a run, built from its parts.

    Fields that a part has under the same name are copied. This function names the other fields.
    """
    attempt, verdict = solution.attempt, solution.verdict
    names = [field.name for field in fields(RunResult)]
    values = {
        name: getattr(part, name)
        for part in (job, job.instance, attempt, attempt.statistics)
        for name in names
        if hasattr(part, name)
    }
    values |= verdict_fields(verdict, names)
    values |= {
        "planner": solution.planner.name,
        "planner_version": planner_version(solution.planner),
        "plan": None if attempt.plan is None else tuple(attempt.plan.splitlines()),
        "plans": None if attempt.plan is None else 1 + len(attempt.further_plans),
        "wall_s": round(attempt.wall_s, 3),
        "cpu_s": round(attempt.cpu_s, 3),
        "memory_mb": round(attempt.memory_mb, 1),
        "limits": {
            "time_s": job.limits.time_s,
            "cpu_s": job.limits.cpu_s,
            "memory_mb": round(job.limits.memory_bytes / 2**20, 1),
            "hit": attempt.hit,
            "measured": attempt.measured,
            **({} if job.limits.core is None else {"core": job.limits.core}),
        },
        "reason": values["reason"] or attempt.reason,
        "problem": problem_hash(job.problem),
        "started": started,
        "log": f"logs/{job.key}/{LOG}" if has_log else "",
    }
    return RunResult(**values)
