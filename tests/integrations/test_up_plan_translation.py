"""Plans of Unified Planning with times, partial orders or other problems, judged here."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from unified_planning.model import InstantaneousAction
from unified_planning.plans import (
    ActionInstance,
    ContingentPlan,
    PartialOrderPlan,
    SequentialPlan,
    TimeTriggeredPlan,
)
from up_plans import up_verdict
from up_problems import rooms, two_switches

from pddl_pipeline import InputError, Status
from pddl_pipeline.integrations.unified_planning import from_up
from pddl_pipeline.model.errors import PlanSyntaxError


@pytest.mark.parametrize(
    ("steps", "ours", "theirs"),
    [
        ([("1", "on-b"), ("1", "on-c")], "valid", "valid"),
        ([("2", "c-after-b"), ("1/3", "on-b")], "valid", "valid"),
        ([("1", "on-b"), ("1", "c-after-b")], "invalid", "invalid"),
        ([("1", "b-before-c"), ("2", "on-c")], "valid", "valid"),
        ([("1", "on-b")], "invalid", "invalid"),
        # A step changes what another one reads: definition 12 of Fox and Long 2003.
        ([("1", "b-before-c"), ("1", "on-c")], "invalid", "valid"),
        # Two steps add the same: they do not interfere.
        ([("1", "on-b"), ("1", "b-before-c"), ("2", "on-c")], "valid", "invalid"),
    ],
)
def test_plans_with_times(steps: list[tuple[str, str]], ours: str, theirs: str) -> None:
    problem, actions = two_switches()
    timed = [(Fraction(time), actions[name](), None) for time, name in steps]
    plan, translation = TimeTriggeredPlan(timed), from_up(problem)
    assert translation.judge(plan).status == ours
    assert up_verdict(problem, plan)[0] == theirs
    back = translation.up_plan(translation.plan(plan))
    assert [(time, str(step)) for time, step, _ in back.timed_actions] == [
        (time, str(step)) for time, step, _ in sorted(timed, key=lambda step: step[0])
    ]


def test_steps_of_another_problem() -> None:
    problem, actions = two_switches()
    other = rooms(["r", "s"], ["walk"], ["at"], ["room"])
    foreign = other.action("walk")(other.object("r"), other.object("s"))
    translation, plan = from_up(problem), SequentialPlan([actions["on-b"](), foreign])
    verdict = translation.judge(plan)
    assert (verdict.status, verdict.failed_step) == (Status.MALFORMED, 2)
    with pytest.raises(PlanSyntaxError, match=r"step 2: unknown action 'walk'$"):
        translation.plan(plan)
    fewer = from_up(rooms(["r", "t"], ["walk"], ["at"], ["room"]))
    with pytest.raises(PlanSyntaxError, match=r"step 1: unknown object 's'$"):
        fewer.plan(SequentialPlan([foreign]))
    with pytest.raises(PlanSyntaxError, match="unknown action 'walk'"):
        translation.up_plan("(walk r s)")


LONG = [(Fraction(0), ActionInstance(InstantaneousAction("on-b")), Fraction(2))]


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (TimeTriggeredPlan(LONG), r"^the step on-b has a duration, which is not supported$"),
        (ContingentPlan(None), "of the kind CONTINGENT_PLAN, which is not supported"),
        (PartialOrderPlan({}), "of the kind PARTIAL_ORDER_PLAN, which is not supported"),
        ("(on-b)", r"^plan: found str, expected a plan of Unified Planning$"),
    ],
)
def test_plans_without_a_counterpart(plan: Any, message: str) -> None:
    translation = from_up(two_switches()[0])
    for function in (translation.plan, translation.judge):
        with pytest.raises((InputError, TypeError), match=message):
            function(plan)


def test_a_text_is_no_problem() -> None:
    with pytest.raises(TypeError, match=r"^problem: found str, expected a problem of Unified"):
        from_up("(define")
