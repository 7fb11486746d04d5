"""Solved examples: those that come with a domain, and those that a user provides."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.pddl_domains import files_named
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.judging import witness_fault
from pddl_pipeline.validation.task import Task


class Solved(NamedTuple):
    """An instance with its task and a plan."""

    instance: Instance[Any]
    task: Task
    plan: Plan


def solved(instance: Instance[Any]) -> Solved:
    """Return an instance with the plan that its record carries.

    Raises:
        InputError: the record's witness is not a valid plan.
    """
    fault = witness_fault(instance)
    if fault is not None:
        raise InputError(f"example '{instance.id}': its witness is not a valid plan: {fault}")
    task = read_instance(instance)
    return Solved(instance, task, task.read_plan("\n".join(instance.extras["witness"])))


@cache
def own_examples(name: str) -> tuple[Solved, ...]:
    """Return the solved examples that come with the words of a domain or variant."""
    file = files_named("solved.jsonl").get(name)
    return () if file is None else tuple(map(solved, load_records(file)))
