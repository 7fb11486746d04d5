"""A problem of Unified Planning and the same problem in PDDL, with the names of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from unified_planning.plans import ActionInstance, SequentialPlan, TimeTriggeredPlan

from pddl_pipeline.model.errors import ErrorKind, InputError, PlanSyntaxError
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Verdict, malformed
from pddl_pipeline.validation.task import Task, task_of

if TYPE_CHECKING:
    from pddl_pipeline.validation.plan_reader import PlanSource


@dataclass(frozen=True, repr=False)
class Translation:
    """A problem in both forms. Create it with `from_up` or `to_up`."""

    up_problem: Any
    """The problem of Unified Planning."""
    problem: Problem
    """The PDDL texts."""
    actions: Mapping[str, str]
    """The PDDL name of each action of `up_problem`."""
    objects: Mapping[str, str]
    """The PDDL name of each object of `up_problem`."""

    def __repr__(self) -> str:
        name = self.up_problem.name or "a problem"
        return f"<Translation of {name}: {len(self.actions)} actions, {len(self.objects)} objects>"

    @cached_property
    def task(self) -> Task:
        """The task, which judges plans."""
        return task_of(self.problem)

    def plan(self, up_plan: Any) -> Plan:
        """Return a plan of Unified Planning as a `Plan`.

        Raises:
            PlanSyntaxError: a step is not an action of the problem.
            InputError: plans of this kind, or with durations, have no counterpart.
            TypeError: ``up_plan`` is not a plan of Unified Planning.
        """
        kind = getattr(getattr(up_plan, "kind", None), "name", None)
        if kind is None:
            found = type(up_plan).__name__
            raise TypeError(f"plan: found {found}, expected a plan of Unified Planning")
        instances: list[tuple[Fraction | None, Any]]
        if kind == "SEQUENTIAL_PLAN":
            instances = [(None, action) for action in up_plan.actions]
        elif kind == "TIME_TRIGGERED_PLAN":
            timed = sorted(up_plan.timed_actions, key=lambda each: each[0])
            for _, each, duration in timed:
                # Actions with a duration are refused before, so such a plan is of another problem.
                if duration is not None:
                    raise InputError(f"the step {each} has a duration, which is not supported")
            instances = [(Fraction(time), each) for time, each, _ in timed]
        else:
            raise InputError(f"found a plan of the kind {kind}, which is not supported")
        return Plan(self._step(n, each, time) for n, (time, each) in enumerate(instances, start=1))

    def _step(self, number: int, instance: Any, time: Fraction | None) -> Step:
        action = self.actions.get(instance.action.name)
        if action is None:
            raise _foreign(number, f"unknown action '{instance.action.name}'")
        names = []
        for parameter in instance.actual_parameters:
            name = self.objects.get(parameter.object().name) if parameter.is_object_exp() else None
            if name is None:
                raise _foreign(number, f"unknown object '{parameter}'", ErrorKind.UNKNOWN_OBJECT)
            names.append(name)
        return Step(action, tuple(names), line=number, column=1, time=time)

    def up_plan(self, plan: PlanSource) -> Any:
        """Return a plan as a plan of Unified Planning for `up_problem`.

        Steps with time stamps become a ``TimeTriggeredPlan``, others a ``SequentialPlan``.

        Raises:
            PlanSyntaxError: the plan is not a plan of the problem.
            InputError: the file of the plan cannot be read.
            TypeError: ``plan`` is not a `PlanSource`.
        """
        steps = self.task.read_plan(plan)
        problem = self.up_problem
        manager = problem.environment.expression_manager
        actions = {name: problem.action(each) for each, name in self.actions.items()}
        objects = {name: problem.object(each) for each, name in self.objects.items()}
        instances = [
            ActionInstance(
                actions[step.action],
                tuple(manager.ObjectExp(objects[argument]) for argument in step.arguments),
            )
            for step in steps
        ]
        if any(step.time is not None for step in steps):
            timed = [(step.time, each, None) for step, each in zip(steps, instances, strict=True)]
            return TimeTriggeredPlan(timed, problem.environment)  # type: ignore[arg-type, unused-ignore]
        return SequentialPlan(instances, problem.environment)

    def judge(self, up_plan: Any) -> Verdict:
        """Judge a plan of Unified Planning.

        Raises:
            InputError, TypeError: as for `plan`.
        """
        try:
            return self.task.judge(self.plan(up_plan))
        except PlanSyntaxError as error:
            return malformed(error)


def _foreign(
    number: int, fault: str, kind: ErrorKind = ErrorKind.UNKNOWN_ACTION
) -> PlanSyntaxError:
    return PlanSyntaxError(f"step {number}: {fault}", line=number, column=1, step=number, code=kind)
