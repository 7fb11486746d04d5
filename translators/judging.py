"""The verdict on a plan for an instance: the validator's, beside the referee's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.verdict import Opinion, Status, Verdict
from pddl_pipeline.translators import has_referee, plan_cost, read_instance, referee_fault
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
