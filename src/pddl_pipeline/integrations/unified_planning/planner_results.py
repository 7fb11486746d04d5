"""Outcomes of planners as results of Unified Planning."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from unified_planning.engines import (
    LogLevel,
    LogMessage,
    PlanGenerationResult,
    PlanGenerationResultStatus,
)

from pddl_pipeline.integrations.unified_planning.translation import Translation
from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.discovery import OWN
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.runs.solving import Solution

_Kind = PlanGenerationResultStatus
_STATUSES: Final = {
    Outcome.GAVE_UP: _Kind.UNSOLVABLE_INCOMPLETELY,
    Outcome.TIMEOUT: _Kind.TIMEOUT,
    Outcome.MEMOUT: _Kind.MEMOUT,
    Outcome.UNSUPPORTED: _Kind.UNSUPPORTED_PROBLEM,
    Outcome.INPUT_ERROR: _Kind.INTERNAL_ERROR,
    Outcome.CRASH: _Kind.INTERNAL_ERROR,
    Outcome.LOST: _Kind.INTERNAL_ERROR,
}


def refusal(engine: str, reason: str) -> Any:
    """Return the result for a problem that has no translation."""
    logs = [LogMessage(LogLevel.ERROR, reason)]
    return PlanGenerationResult(_Kind.UNSUPPORTED_PROBLEM, None, engine, log_messages=logs)


def generation_result(engine: str, solution: Solution, translation: Translation) -> Any:
    """Return the result for an attempt and the verdict on its plan.

    Only a plan that is valid is returned; the log has the text of any other.
    """
    done, verdict = solution.attempt, solution.verdict
    status, reason, plan = _status(solution, translation), done.reason, None
    if done.outcome is Outcome.PLAN_FOUND:
        if verdict is not None and verdict.status is Status.VALID:
            plan = translation.up_plan(done.plan or "")
        else:
            found = "not judged" if verdict is None else f"{verdict.status}: {verdict.reason}"
            reason = f"the planner's plan is {found}\n{done.plan}"
    elif verdict is not None:
        reason = verdict.reason
    level = LogLevel.INFO if plan is not None else LogLevel.WARNING
    logs = [LogMessage(level, reason)] if reason else []
    logs.append(LogMessage(LogLevel.DEBUG, done.log.decode(errors="replace")))
    return PlanGenerationResult(status, plan, engine, _figures(done), logs)


def _status(solution: Solution, translation: Translation) -> Any:
    done, verdict = solution.attempt, solution.verdict
    if done.outcome is Outcome.PLAN_FOUND:
        if verdict is None or verdict.status is not Status.VALID:
            return _Kind.INTERNAL_ERROR
        # The metric is what optimal planners minimise; without one, nothing is.
        optimal = done.optimal and any(
            each.is_minimize_action_costs() or each.is_minimize_sequential_plan_length()
            for each in translation.up_problem.quality_metrics
        )
        return _Kind.SOLVED_OPTIMALLY if optimal else _Kind.SOLVED_SATISFICING
    if done.outcome is Outcome.CLAIMS_UNSOLVABLE:
        if verdict is not None:  # Another solver found a plan.
            return _Kind.INTERNAL_ERROR
        return (
            _Kind.UNSOLVABLE_PROVEN if _proves(solution.planner) else _Kind.UNSOLVABLE_INCOMPLETELY
        )
    return _STATUSES[done.outcome]


def _proves(planner: Planner) -> bool:
    """Return whether a planner's claim that there is no plan is a proof.

    Numeric planners compute in floating point and have missed plans, of classical problems, too;
    the searches of this project are exact.
    """
    return planner.distribution == OWN or "numeric" not in planner.features


def _figures(done: Attempt) -> dict[str, str]:
    """Return the measurements and the planner's own figures, as text."""
    measured = {
        "wall_s": f"{done.wall_s:.3f}",
        "cpu_s": f"{done.cpu_s:.3f}",
        "memory_mb": f"{done.memory_mb:.1f}",
        "outcome": str(done.outcome),
    }
    printed = {
        name: str(each) for name, each in asdict(done.statistics).items() if each is not None
    }
    return measured | printed
