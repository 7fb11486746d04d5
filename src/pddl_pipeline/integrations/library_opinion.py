"""The package pddl as a second opinion. It is imported only when it is requested."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.integrations.reading import DifferentReading
from pddl_pipeline.model.errors import EngineError, InputError, PlanSyntaxError
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.planners.unified_planning import one_line
from pddl_pipeline.validation.opinions import Validator
from pddl_pipeline.validation.plan_reader import read_plan
from pddl_pipeline.validation.task import Task


class PackagePddl:
    """What the package pddl reads, compared with the task. It has no validator; others add one."""

    library: str = "pddl"

    def __init__(self, domain: str, problem: str, task: Task) -> None:
        """Read a domain and problem, given as text, and compare them with the task.

        Raises:
            EngineError: the library is not installed.
        """
        self.task, self.texts = task, (domain, problem)
        self._fault: Opinion | None = None
        try:
            self.problem = self.read()
        except ImportError as error:
            raise EngineError(str(error)) from error
        except InputError as error:
            is_other = isinstance(error, DifferentReading)
            reason = error.message.removeprefix(f"{self.library} ")
            self._fault = Opinion(Status.DISPUTED if is_other else Status.UNDECIDED, reason)

    def read(self) -> Any:
        """Return the library's problem.

        Raises:
            InputError: the library cannot read it, or reads a different one.
            ImportError: the library is not installed.
        """
        from pddl_pipeline.integrations.pddl import converted  # an extra

        return converted(self.task, self.texts)

    def judge(self, plan: str) -> Opinion:
        """Return the library's opinion on the text of a plan.

        Libraries raise exceptions, for example on wrong arity and division by zero. The opinion is
        then ``undecided``, and the exception is its reason.
        """
        if self._fault is not None:
            return self._fault
        try:
            # Readers of plans fail on comments and time stamps, so they get the steps alone.
            steps = read_plan(plan)
            # Steps at one time have no order, and these validators execute one after the other.
            if len({step.time for step in steps}) < len(steps) and steps[0].time is not None:
                return Opinion(Status.UNDECIDED, "does not support steps at the same time")
            # Without times, which these validators do not read.
            plan = str(steps)
        except PlanSyntaxError:
            pass  # the library may read it
        try:
            return self.judged(plan)
        except Exception as error:  # noqa: BLE001 -- many types, KeyError included
            return Opinion(Status.UNDECIDED, f"raised {one_line(error)}")

    def judged(self, plan: str) -> Opinion:
        """Return the opinion on a plan without comments and time stamps, or raise anything."""
        del plan
        return Opinion(Status.UNDECIDED, "reads the same problem, and judges no plans")


VALIDATORS: Final = (Validator("pddl", PackagePddl),)
