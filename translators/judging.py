"""The verdict on a plan for an instance: the validator's, beside the referee's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pddl_pipeline.model.errors import ErrorKind, PlanSyntaxError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.operations import ACTIONS, CHECK, combine
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.verdict import Opinion, Opinions, Status, Verdict
from pddl_pipeline.translators import has_referee, plan_cost, read_instance, referee_fault
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.validation.opinions import with_opinions
from pddl_pipeline.validation.task import Task

if TYPE_CHECKING:
    from pddl_pipeline.validation.plan_reader import PlanSource


def judge_plan(
    plan: PlanSource, task: Task, instance: Instance[object], delta: Number | None = None
) -> Verdict:
    """Judge a plan with its instance's budget and referee; `delta` is as for `Task.judge`.

    The referee executes the plan on the instance itself, without PDDL. If it contradicts the
    verdict, or if the plan's cost according to the record differs, the translation is wrong and the
    verdict becomes ``disputed``.
    """
    verdict = task.judge(plan, instance.budget, delta=delta)
    if not verdict.status.is_read or not has_referee(instance):
        return verdict
    steps = plan if isinstance(plan, Plan) else task.read_plan(plan)
    fault = referee_fault(instance, steps)
    if fault is None and verdict.status is Status.VALID:
        cost = plan_cost(instance, steps)
        if verdict.cost != cost:
            fault = f"the plan costs {cost}"
    referee = Opinion(Status.VALID) if fault is None else Opinion(Status.INVALID, fault)
    return with_opinions(verdict, {"referee": referee})


_OPERATIONS: Final = frozenset(ACTIONS.values())
_MOST_BITS: Final = 1000
"""The validator has limits for numbers; smaller ones are far from them."""


def countdown_verdict(plan: Plan, instance: Instance[Any]) -> Verdict | None:
    """Return `judge_plan`'s verdict on a plan without time stamps of a countdown record, or None.

    The PDDL is not read.
    Two computations decide: the referee's, and the shared exact arithmetic. It is None for a plan
    that they do not agree on, and for one that expressions do not have, such as a step with a
    number that is not on the board.
    """
    found = _missed(plan, instance.record) if isinstance(instance.record, Countdown) else None
    if found is None:
        return None
    failed, missed = found
    fault = referee_fault(instance, plan)
    place = f"step {failed} {plan[failed - 1]}: " if failed else "not reached: "
    # The two computations differ: the validator decides.
    if (fault is not None and fault.startswith(place)) != bool(missed):
        return None
    if fault is None:
        cost, budget = plan_cost(instance, plan), instance.budget
        return Verdict(
            Status.VALID, len(plan), cost, within_budget=None if budget is None else cost <= budget,
            maximise=False, opinions=Opinions({"referee": Opinion(Status.VALID)}),
        )  # fmt: skip
    why = "; ".join(f"{text} does not hold{values}" for text, values in missed)
    step = plan[failed - 1] if failed else None
    return Verdict(
        Status.INVALID, len(plan), failed_step=failed or None,
        reason=f"{place if failed else 'goal not satisfied: '}{why}",
        unsatisfied=tuple(text for text, _ in missed),
        line=(step and step.line) or None, column=(step and step.column) or None,
        opinions=Opinions({"referee": Opinion(Status.INVALID, fault)}),
        code=ErrorKind.PRECONDITION if failed else ErrorKind.GOAL,
    )  # fmt: skip


def _missed(plan: Plan, record: Countdown) -> tuple[int, list[tuple[str, str]]] | None:
    """Return the first step that fails, or 0, and the conditions that do not hold; or None.

    Each has its PDDL, and the values of both sides. See `countdown_verdict`.
    """
    left: dict[str, Number] = {**record.board}
    for number, (action, arguments, *_) in enumerate(plan, start=1):
        if not {*arguments} <= left.keys() or len({*arguments}) != (1 if action == CHECK else 2):
            return None
        first, second = arguments[0], arguments[-1]
        x, y = left[first], left[second]
        conditions: tuple[tuple[str, Number, str, Number, bool], ...] = ()
        if action == CHECK:
            conditions = (
                ("(= (numactive) 1)", len(left), "=", 1, len(left) == 1),
                (f"(= (value {first}) (targetvalue))", x, "=", record.target, x == record.target),
            )
        elif action == "subtract":
            conditions = ((f"(>= (value {first}) (value {second}))", x, ">=", y, x >= y),)
        elif action == "divide":
            conditions = ((f"(> (value {second}) 0)", y, ">", 0, y > 0),)
        missed = [
            (text, f": {number_text(mine)} {operator} {number_text(other)} is false")
            for text, mine, operator, other, holds in conditions
            if not holds
        ]
        if missed:
            return number, missed
        if action == CHECK:
            return (0, []) if number == len(plan) else None
        if action not in _OPERATIONS:
            return None
        left[first] = value = combine(action, x, y)
        del left[second]
        if max(value.numerator, value.denominator).bit_length() > _MOST_BITS:
            return None
    return 0, [("(goalreached)", "")]


def witness_fault(instance: Instance[Any]) -> str | None:
    """Return why the witness of an instance is not valid, by validator and referee, or None."""
    task = read_instance(instance)
    try:
        plan = task.read_plan("\n".join(instance.extras["witness"]))
    except PlanSyntaxError as error:
        return error.message
    verdict = task.judge(plan)
    if verdict.status is not Status.VALID:
        return verdict.reason
    return referee_fault(instance, plan) if has_referee(instance) else None
