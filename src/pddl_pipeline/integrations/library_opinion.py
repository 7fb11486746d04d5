"""The package pddl and Tarski as second opinions. Each is imported only when it is requested."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from typing import Any, Final

from pddl_pipeline.integrations.libraries import DifferentReading, converted
from pddl_pipeline.model.errors import EngineError, InputError, PlanSyntaxError
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.planners.unified_planning import one_line
from pddl_pipeline.validation.language import Arithmetic, Update, walk
from pddl_pipeline.validation.opinions import Validator
from pddl_pipeline.validation.task import Task

_EXACT: Final = 2**26
"""Floats are exact for whole numbers below this, and for their products."""


class PackagePddl:
    """A comparison of what the package pddl reads with the task. It has no validator."""

    library: str = "pddl"

    def __init__(self, domain: str, problem: str, task: Task) -> None:
        """Read a domain and problem, given as text, and compare them with the task.

        Raises:
            EngineError: the library is not installed.
        """
        self._task = task
        self._opinion = Opinion(Status.UNDECIDED, "reads the same problem, and judges no plans")
        self._problem: Any = None
        try:
            self._problem = converted(self.library, task, Problem(domain, problem))
        except ImportError as error:
            raise EngineError(str(error)) from error
        except InputError as error:
            is_other = isinstance(error, DifferentReading)
            reason = error.message.removeprefix(f"{self.library} ")
            self._opinion = Opinion(Status.DISPUTED if is_other else Status.UNDECIDED, reason)

    def judge(self, plan: str) -> Opinion:
        """Return whether the library read the same problem."""
        del plan
        return self._opinion


class Tarski(PackagePddl):
    """A validator that executes plans in Tarski's model of the problem."""

    library = "tarski"

    def judge(self, plan: str) -> Opinion:
        """Return the result of executing the text of a plan.

        Whatever Tarski raises makes the opinion ``undecided``.
        """
        if self._problem is None:
            return self._opinion
        if not _whole(self._task):
            return Opinion(Status.UNDECIDED, "computes with floats, which may be inexact")
        try:
            steps = self._task.read_plan(plan)
            if len({step.time for step in steps}) < len(steps) and steps[0].time is not None:
                return Opinion(Status.UNDECIDED, "does not support steps at the same time")
            module: Any = import_module(f"{__package__}.{self.library}")
            opinion: Opinion = module.executed(self._problem, steps, _EXACT)
        except PlanSyntaxError:
            return Opinion(Status.UNDECIDED, "has no reader of plans")
        except Exception as error:  # noqa: BLE001 -- it raises many types
            return Opinion(Status.UNDECIDED, f"raised {one_line(error)}")
        return opinion


def _whole(task: Task) -> bool:
    """Return whether floats are exact: all numbers are whole and small, and none is divided."""
    facts, actions = task.facts, task.vocabulary.actions.values()
    formulas = [part for each in actions for part in (each.precondition, *each.effects)]
    values = [*facts.values.values(), *([facts.metric.value] if facts.metric else [])]
    return not any(
        isinstance(part, Fraction)
        or (isinstance(part, int) and abs(part) >= _EXACT)
        or (isinstance(part, Arithmetic | Update) and part.operator in ("/", "scale-down"))
        for part, _ in walk(facts.goal, *formulas, *values)
    )


VALIDATORS: Final = (Validator("pddl", PackagePddl), Validator("tarski", Tarski))
