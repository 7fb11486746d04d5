"""Plans of Unified Planning for tests, and its own validators' verdicts on them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

from unified_planning.engines.plan_validator import (
    SequentialPlanValidator,
    TimeTriggeredPlanValidator,
)
from unified_planning.plans import ActionInstance, SequentialPlan, TimeTriggeredPlan


def up_verdict(problem: Any, plan: Any) -> tuple[str, int | None, Any]:
    """Return the status, the failing step and the metric's value, without checks of features.

    Of a plan with times, the failing step is unknown.
    """
    timed = isinstance(plan, TimeTriggeredPlan)
    validator: Any = TimeTriggeredPlanValidator() if timed else SequentialPlanValidator()
    validator.skip_checks = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = validator.validate(problem, plan)
    failed = result.inapplicable_action
    step = None
    if failed is not None and not timed:
        step = [id(each) for each in plan.actions].index(id(failed)) + 1
    values = list((result.metric_evaluations or {}).values())
    return result.status.name.lower(), step, values[0] if values else None


def mutated(plan: Any, count: int) -> Iterator[Any]:
    """Yield plans with steps left out, exchanged and repeated."""
    random = Random(2003)
    for _ in range(count):
        steps = list(plan.actions)
        for _ in range(random.randint(1, 3)):
            if not steps:
                break
            first, second = random.randrange(len(steps)), random.randrange(len(steps))
            change = random.choice(("leave out", "exchange", "repeat"))
            if change == "leave out":
                steps.pop(first)
            elif change == "exchange":
                steps[first], steps[second] = steps[second], steps[first]
            else:
                steps.insert(first, steps[second])
        # Each step is its own object, so that a failing step has one place.
        copies = [ActionInstance(each.action, each.actual_parameters) for each in steps]
        yield SequentialPlan(copies, plan.environment)
