"""Unified Planning's validator as a second opinion. Imported only when it is requested."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.integrations.library_opinion import PackagePddl
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.planners.unified_planning import environment
from pddl_pipeline.validation.opinions import Validator


class UnifiedPlanning(PackagePddl):
    """A validator that reads a problem once, with Unified Planning, and judges its plans."""

    library = "Unified Planning"

    def read(self) -> Any:
        """Return the translation to Unified Planning; see `PackagePddl.read`."""
        from pddl_pipeline.integrations.unified_planning import to_up  # a second

        return to_up(self.task, environment())

    def judged(self, plan: str) -> Opinion:
        """Return the opinion on a plan."""
        from unified_planning.engines.plan_validator import SequentialPlanValidator

        validator = SequentialPlanValidator()
        validator.skip_checks = True
        result = validator.validate(self.problem.up_problem, self.problem.up_plan(plan))
        if result.status.name == "VALID":
            values = list((result.metric_evaluations or {}).values())
            # It is the value of the metric, unless there is none or more than one.
            return Opinion(Status.VALID, cost=Fraction(values[0]) if len(values) == 1 else None)
        reason = result.reason.name if result.reason is not None else result.status.name
        where = f" at {result.inapplicable_action}" if result.inapplicable_action else ""
        status = Status.INVALID if result.status.name == "INVALID" else Status.UNDECIDED
        return Opinion(status, reason.lower().replace("_", " ") + where)


VALIDATORS: Final = (Validator("up", UnifiedPlanning),)
