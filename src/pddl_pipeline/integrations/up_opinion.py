"""Unified Planning's validator as a second opinion. Imported only when it is requested."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.integrations.reading import reading_difference, up_contents
from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.planners.unified_planning import environment, one_line
from pddl_pipeline.validation.opinions import Validator
from pddl_pipeline.validation.plan_reader import read_plan
from pddl_pipeline.validation.task import Task


class UnifiedPlanning:
    """A validator that reads a problem once, with Unified Planning, and judges its plans."""

    def __init__(self, domain: str, problem: str, task: Task) -> None:
        """Read a domain and problem, given as text, and compare them with the task."""
        from unified_planning.io import PDDLReader  # noqa: PLC0415 -- takes a second

        self._reader = PDDLReader(environment())
        self._problem: Any = None
        self._fault: Opinion | None = None
        try:
            self._problem = self._reader.parse_problem_string(domain, problem)
        except Exception as error:  # noqa: BLE001 -- it raises many types, KeyError included
            self._fault = Opinion(Status.UNDECIDED, f"cannot read the problem: {one_line(error)}")
            return
        difference = reading_difference(task, up_contents(self._problem), "Unified Planning")
        if difference:
            self._fault = Opinion(Status.DISPUTED, f"reads a different problem: {difference}")

    def judge(self, plan: str) -> Opinion:
        """Return Unified Planning's opinion on the text of a plan.

        Unified Planning raises exceptions, for example on wrong arity and division by zero. The
        opinion is then ``undecided``, and the exception is its reason.
        """
        if self._fault is not None:
            return self._fault
        try:
            # Its plan reader fails on comments and time stamps, so it gets the steps alone.
            steps = read_plan(plan)
            if len({step.time for step in steps}) < len(steps) and steps[0].time is not None:
                return Opinion(Status.UNDECIDED, "does not support steps at the same time")
            text = str(steps)
        except PlanSyntaxError:
            text = plan
        try:
            return self._validate(self._reader.parse_plan_string(self._problem, text))
        except Exception as error:  # noqa: BLE001 -- see above
            return Opinion(Status.UNDECIDED, f"raised {one_line(error)}")

    def _validate(self, plan: Any) -> Opinion:
        from unified_planning.engines.plan_validator import SequentialPlanValidator  # noqa: PLC0415

        validator = SequentialPlanValidator()
        validator.skip_checks = True
        result = validator.validate(self._problem, plan)
        if result.status.name == "VALID":
            values = list((result.metric_evaluations or {}).values())
            # It is the value of the metric, unless there is none or more than one.
            return Opinion(Status.VALID, cost=Fraction(values[0]) if len(values) == 1 else None)
        reason = result.reason.name if result.reason is not None else result.status.name
        where = f" at {result.inapplicable_action}" if result.inapplicable_action else ""
        status = Status.INVALID if result.status.name == "INVALID" else Status.UNDECIDED
        return Opinion(status, reason.lower().replace("_", " ") + where)


VALIDATORS: Final = (Validator("up", UnifiedPlanning),)
