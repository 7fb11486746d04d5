"""A problem of Unified Planning and the same problem in PDDL, with the names of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from unified_planning.plans import ActionInstance, SequentialPlan, TimeTriggeredPlan

from pddl_pipeline.model.errors import ErrorKind, InputError, PlanSyntaxError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Status, Verdict, malformed
from pddl_pipeline.validation.task import Task, task_of

if TYPE_CHECKING:
    from pddl_pipeline.validation.plan_reader import PlanSource

MAX_ORDERS: Final = 1000
"""Maximum number of orders of a partially ordered plan that are judged."""


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
    never: frozenset[str] = frozenset()
    """The PDDL names of actions whose precondition never holds; the PDDL texts leave them out."""
    guards_pddl: str | None = None
    """The problem whose goal is that bounds and state invariants hold; None without any."""
    soft_goals: tuple[tuple[Callable[[], str], Number], ...] = ()
    """For an oversubscription metric: the problem with one soft goal as its goal, and its gain."""

    def __repr__(self) -> str:
        name = self.up_problem.name or "a problem"
        return f"<Translation of {name}: {len(self.actions)} actions, {len(self.objects)} objects>"

    @cached_property
    def task(self) -> Task:
        """The task, which judges plans."""
        return task_of(self.problem)

    @cached_property
    def _guards(self) -> Task | None:
        if self.guards_pddl is None:
            return None
        return task_of(Problem(self.problem.domain_pddl, self.guards_pddl))

    def plan(self, up_plan: Any) -> Plan:
        """Return a plan of Unified Planning as a `Plan`.

        A partially ordered plan becomes one of its orders.

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
            instances = [(None, each) for each in up_plan.actions]
        elif kind == "PARTIAL_ORDER_PLAN":
            order = next(up_plan.all_sequential_plans())
            instances = [(None, each) for each in order.actions]
        elif kind == "TIME_TRIGGERED_PLAN":
            timed = sorted(up_plan.timed_actions, key=lambda each: each[0])
            for _, each, duration in timed:
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
        for each in instance.actual_parameters:
            name = self.objects.get(each.object().name) if each.is_object_exp() else None
            if name is None:
                raise _foreign(number, f"unknown object '{each}'", ErrorKind.UNKNOWN_OBJECT)
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
                tuple(manager.ObjectExp(objects[each]) for each in step.arguments),
            )
            for step in steps
        ]
        if any(step.time is not None for step in steps):
            timed = [(step.time, each, None) for step, each in zip(steps, instances, strict=True)]
            return TimeTriggeredPlan(timed, problem.environment)  # type: ignore[arg-type, unused-ignore]
        return SequentialPlan(instances, problem.environment)

    def judge(self, up_plan: Any) -> Verdict:
        """Judge a plan of Unified Planning.

        A partially ordered plan is valid if every order of its steps is; with more than
        `MAX_ORDERS` orders it is ``undecided``, unless one of these is not valid.

        Raises:
            InputError, TypeError: as for `plan`.
        """
        return self.judge_order(up_plan)[0]

    def judge_order(self, up_plan: Any) -> tuple[Verdict, Any]:
        """Judge a plan as `judge` does; return the verdict and the plan that it is about.

        That is another plan only if the plan is partially ordered: the first order of its steps
        that is not valid, or the last one.
        """
        if getattr(getattr(up_plan, "kind", None), "name", None) != "PARTIAL_ORDER_PLAN":
            return self._judge_one(up_plan), up_plan
        verdict = Verdict(Status.UNDECIDED)
        order = up_plan
        for number, order in enumerate(up_plan.all_sequential_plans()):
            if number == MAX_ORDERS:
                reason = f"the plan has more than {MAX_ORDERS} orders of its steps"
                return Verdict(Status.UNDECIDED, reason=reason), order
            verdict = self._judge_one(order)
            if verdict.status is not Status.VALID:
                break
        return verdict, order

    def _judge_one(self, up_plan: Any) -> Verdict:
        try:
            steps = self.plan(up_plan)
        except PlanSyntaxError as error:
            return malformed(error)
        never = next((n for n, step in enumerate(steps) if step.action in self.never), None)
        verdict = self.task.judge(steps if never is None else Plan(steps[:never]))
        if self._guards is not None and verdict.status is Status.INVALID:
            verdict = self._blamed(verdict, steps)
        if never is None or verdict.failed_step is not None:
            return verdict
        reason = f"step {never + 1} {steps[never]}: the precondition never holds"
        return Verdict(Status.INVALID, len(steps), failed_step=never + 1, reason=reason)

    def _blamed(self, verdict: Verdict, steps: Plan) -> Verdict:
        """Return the verdict with the step that leaves the bounds, if one does, as failed."""
        done = verdict.steps or 0 if verdict.failed_step is None else verdict.failed_step - 1
        if self._guards is None or not done or steps[0].time is not None:
            return verdict
        state = self._guards.judge(steps[:done])
        if state.status is not Status.INVALID:
            return verdict
        conditions = " ".join(state.unsatisfied)
        reason = f"step {done} {steps[done - 1]}: afterwards {conditions} does not hold"
        return verdict._replace(failed_step=done, reason=reason, unsatisfied=state.unsatisfied)

    def gain(self, up_plan: Any) -> Number | None:
        """Return the sum of the gains of the soft goals that hold after a valid plan.

        None if the problem has no oversubscription metric.
        """
        if not self.soft_goals:
            return None
        steps = self.plan(up_plan)
        total: Number = 0
        for text, gain in self.soft_goals:
            task = task_of(Problem(self.problem.domain_pddl, text()))
            total += gain if task.judge(steps).status is Status.VALID else 0
        return total


def _foreign(
    number: int, fault: str, kind: ErrorKind = ErrorKind.UNKNOWN_ACTION
) -> PlanSyntaxError:
    return PlanSyntaxError(f"step {number}: {fault}", line=number, column=1, step=number, slug=kind)
