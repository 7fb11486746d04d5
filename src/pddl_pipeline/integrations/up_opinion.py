"""Unified Planning's validator as a second opinion. Imported only when it is requested."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.integrations.up_reading import DifferentReading
from pddl_pipeline.model.errors import EngineError, InputError, PlanSyntaxError
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.planners.unified_planning import environment, one_line
from pddl_pipeline.validation.opinions import Validator
from pddl_pipeline.validation.plan_reader import read_plan
from pddl_pipeline.validation.task import Task


class UnifiedPlanning:
    """A validator that reads a problem once, with Unified Planning, and judges its plans."""

    def __init__(self, _domain: str, _problem: str, task: Task) -> None:
        """Translate a task.

        Raises:
            EngineError: a part of Unified Planning is not installed.
        """
        self._problem: Any = None
        self._fault: Opinion | None = None
        try:
            from pddl_pipeline.integrations.unified_planning import to_up  # a second

            self._problem = to_up(task, environment())
        except ImportError as error:
            raise EngineError(str(error)) from error
        except InputError as error:
            is_other = isinstance(error, DifferentReading)
            reason = error.message.removeprefix("Unified Planning ")
            self._fault = Opinion(Status.DISPUTED if is_other else Status.UNDECIDED, reason)

    def judge(self, plan: str) -> Opinion:
        """Return the opinion on the text of a plan.

        Unified Planning raises exceptions, for example on wrong arity and division by zero. The
        opinion is then ``undecided``, and the exception is its reason.
        """
        if self._fault is not None:
            return self._fault
        try:
            # Its reader of plans fails on comments and time stamps, so it gets the steps alone.
            steps = read_plan(plan)
            # Steps at one time have no order, and this validator executes one after the other.
            if len({step.time for step in steps}) < len(steps) and steps[0].time is not None:
                return Opinion(Status.UNDECIDED, "does not support steps at the same time")
            plan = str(steps)
        except PlanSyntaxError:
            pass  # the library may read it
        try:
            return self._judged(plan)
        except Exception as error:  # noqa: BLE001 -- many types, KeyError included
            return Opinion(Status.UNDECIDED, f"raised {one_line(error)}")

    def _judged(self, plan: str) -> Opinion:
        from unified_planning.engines.plan_validator import SequentialPlanValidator

        validator = SequentialPlanValidator()
        validator.skip_checks = True
        result = validator.validate(self._problem.up_problem, self._problem.up_plan(plan))
        if result.status.name == "VALID":
            values = list((result.metric_evaluations or {}).values())
            # It is the value of the metric, unless there is none or more than one.
            return Opinion(Status.VALID, cost=Fraction(values[0]) if len(values) == 1 else None)
        reason = result.reason.name if result.reason is not None else result.status.name
        where = f" at {result.inapplicable_action}" if result.inapplicable_action else ""
        status = Status.INVALID if result.status.name == "INVALID" else Status.UNDECIDED
        return Opinion(status, reason.lower().replace("_", " ") + where)


VALIDATORS: Final = (Validator("up", UnifiedPlanning),)
