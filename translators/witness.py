"""Validates the plans that come with records."""

from __future__ import annotations

from typing import Any

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.translators import has_referee, read_instance, referee_fault


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
