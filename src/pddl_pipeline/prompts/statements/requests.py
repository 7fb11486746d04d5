"""Requests in prompts for a plan, and plans in the requested form."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.task import Task

PLAN_START: Final = "[PLAN]"
PLAN_END: Final = "[PLAN END]"
"""PlanBench's marks around a plan."""
ONLY: Final = "Answer with the plan and nothing else."
THINK: Final = (
    "Think step by step first: say for each action what it changes. Then give the whole plan"
    f" between {PLAN_START} and {PLAN_END}"
)
"""The request for reasoning, without the full stop."""


def write_pddl(plan: Plan, _instance: Instance[Any], _task: Task) -> str:
    """Return a plan as PDDL; see `Style.write`."""
    return str(plan).rstrip("\n")
