"""The validator as an engine of Unified Planning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from unified_planning.engines import (
    Engine,
    LogLevel,
    LogMessage,
    ValidationResult,
    ValidationResultStatus,
)
from unified_planning.engines.mixins import PlanValidatorMixin
from unified_planning.engines.results import FailedValidationReason
from unified_planning.environment import get_environment
from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION
from unified_planning.plans import PlanKind

from pddl_pipeline.integrations.unified_planning.kinds import TRANSLATED
from pddl_pipeline.integrations.unified_planning.translating import from_up
from pddl_pipeline.model.errors import ErrorKind, InputError
from pddl_pipeline.model.verdict import Verdict

NAME: Final = "pddl-pipeline"
_PLANS: Final = (
    PlanKind.SEQUENTIAL_PLAN,
    PlanKind.TIME_TRIGGERED_PLAN,
)
_STATUSES: Final = {
    True: ValidationResultStatus.VALID,
    False: ValidationResultStatus.INVALID,
    None: ValidationResultStatus.UNKNOWN,
}
"""Unified Planning's status, by `Status.is_valid`."""


class PlanValidator(Engine, PlanValidatorMixin):  # type: ignore[misc] # they have no types
    """Judges plans exactly, as `Translation.judge` does.

    A problem or plan that is not judged has the status ``UNKNOWN``, and the log says why.
    """

    def __init__(self) -> None:
        """Create the engine, which has no parameters."""
        Engine.__init__(self)
        PlanValidatorMixin.__init__(self)

    @property
    def name(self) -> str:
        """The engine's name."""
        return NAME

    @staticmethod
    def supported_kind() -> Any:
        """Return the features of the problems whose plans are judged."""
        return ProblemKind(TRANSLATED, version=LATEST_PROBLEM_KIND_VERSION)

    @staticmethod
    def supports(problem_kind: Any) -> bool:
        """Return whether plans of problems with these features are judged."""
        return bool(problem_kind <= PlanValidator.supported_kind())

    @staticmethod
    def supports_plan(plan_kind: Any) -> bool:
        """Return whether plans of this kind are judged."""
        return plan_kind in _PLANS

    def _validate(self, problem: Any, plan: Any) -> Any:
        """Return the result; Unified Planning calls this."""
        try:
            verdict = from_up(problem).judge(plan)
        except InputError as error:
            return _result(ValidationResultStatus.UNKNOWN, str(error))
        status = _STATUSES[verdict.status.is_valid]
        if status is ValidationResultStatus.VALID:
            known = verdict.cost is not None and problem.quality_metrics
            values = dict.fromkeys(problem.quality_metrics, verdict.cost) if known else None
            return _result(status, verdict.reason, metric_evaluations=values)
        if status is ValidationResultStatus.UNKNOWN:
            return _result(status, verdict.reason)
        reason = _failure(verdict)
        inapplicable = reason is FailedValidationReason.INAPPLICABLE_ACTION
        action = _steps(plan)[(verdict.failed_step or 1) - 1] if inapplicable else None
        return _result(status, verdict.reason, reason=reason, inapplicable_action=action)


def register(environment: Any = None) -> list[str]:
    """Register the validator with Unified Planning, and return the names of the engines.

    Unified Planning finds it by name only: its lists of preferences do not change. A second call
    changes nothing.

    Args:
        environment: an environment or a factory of Unified Planning; None for the global
            environment.
    """
    given: Any = get_environment(None) if environment is None else environment
    factory: Any = getattr(given, "factory", given)
    if NAME not in factory.engines:
        before = list(factory.preference_list)
        factory.add_engine(NAME, PlanValidator.__module__, PlanValidator.__name__)
        # It adds the engine, and meta-engines with it, to the preferences.
        factory.preference_list = before
    return [NAME]


def _result(status: Any, message: str | None, **more: Any) -> Any:
    logs = [LogMessage(LogLevel.INFO, message)] if message else []
    return ValidationResult(status, NAME, logs, **more)


def _failure(verdict: Verdict) -> Any:
    """Return Unified Planning's word for why a plan is not valid."""
    if verdict.failed_step is None:
        return FailedValidationReason.UNSATISFIED_GOALS
    if verdict.code is ErrorKind.INTERFERENCE:
        return FailedValidationReason.MUTEX_CONFLICT
    return FailedValidationReason.INAPPLICABLE_ACTION


def _steps(plan: Any) -> Sequence[Any]:
    """Return the action instances of a plan, in the order of its steps."""
    if plan.kind is PlanKind.TIME_TRIGGERED_PLAN:
        return [each for _, each, _ in sorted(plan.timed_actions, key=lambda step: step[0])]
    return list(plan.actions)
