"""Unified Planning's validator as a second opinion. Imported only when it is requested."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.integrations.library_opinion import PackagePddl
from pddl_pipeline.integrations.reading import check_reading, up_contents
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.planners.unified_planning import environment, one_line
from pddl_pipeline.validation.opinions import Validator


class UnifiedPlanning(PackagePddl):
    """A validator that reads a problem once, with Unified Planning, and judges its plans."""

    library = "Unified Planning"

    def read(self) -> Any:
        """Return Unified Planning's problem; see `PackagePddl.read`."""
        from unified_planning.io import PDDLReader  # noqa: PLC0415 -- takes a second

        self.task.check_supported()
        self._reader = PDDLReader(environment())
        try:
            problem: Any = self._reader.parse_problem_string(*self.texts)
        except Exception as error:
            raise InputError(f"cannot read the problem: {one_line(error)}") from error
        check_reading(self.task, up_contents(problem), self.library)
        return problem

    def judged(self, plan: str) -> Opinion:
        """Return the opinion on a plan."""
        from unified_planning.engines.plan_validator import SequentialPlanValidator  # noqa: PLC0415

        validator = SequentialPlanValidator()
        validator.skip_checks = True
        result = validator.validate(
            self.problem, self._reader.parse_plan_string(self.problem, plan)
        )
        if result.status.name == "VALID":
            values = list((result.metric_evaluations or {}).values())
            # It is the value of the metric, unless there is none or more than one.
            return Opinion(Status.VALID, cost=Fraction(values[0]) if len(values) == 1 else None)
        reason = result.reason.name if result.reason is not None else result.status.name
        where = f" at {result.inapplicable_action}" if result.inapplicable_action else ""
        status = Status.INVALID if result.status.name == "INVALID" else Status.UNDECIDED
        return Opinion(status, reason.lower().replace("_", " ") + where)


VALIDATORS: Final = (Validator("up", UnifiedPlanning),)
