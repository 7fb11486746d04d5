"""The validator as an engine of Unified Planning."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from unified_planning.engines import ValidationResultStatus
from unified_planning.engines.results import FailedValidationReason
from unified_planning.exceptions import UPUsageError
from unified_planning.plans import PartialOrderPlan, SequentialPlan, TimeTriggeredPlan
from unified_planning.shortcuts import PlanValidator

pytestmark = pytest.mark.usefixtures("registered")

VALID, INVALID, UNKNOWN = ValidationResultStatus


Reason = FailedValidationReason


def test_verdicts_as_results(examples: dict[str, Any]) -> None:
    example, robot = examples["basic_with_costs"], examples["robot_no_negative_preconditions"]
    problem, (plan,), (step,) = example.problem, example.valid_plans, robot.valid_plans[0].actions
    again = step.action(*step.actual_parameters)
    nothing, twice = SequentialPlan([], problem.environment), SequentialPlan([step, again])
    loader = examples["robot_loader"]
    first, *others = loader.valid_plans[0].actions
    apart = [(Fraction(n), each, None) for n, each in enumerate([first, *others])]
    together = [(Fraction(0), first, None), *((Fraction(1), each, None) for each in others[:2])]
    cases = [
        (problem, plan, VALID, None, None, ""),
        (problem, nothing, INVALID, Reason.UNSATISFIED_GOALS, None, "goal not satisfied: "),
        (robot.problem, twice, INVALID, Reason.INAPPLICABLE_ACTION, again, "step 2 (move l1 l2)"),
        (loader.problem, TimeTriggeredPlan(apart), VALID, None, None, ""),
    ]
    with PlanValidator(name="pddl-pipeline") as validator:
        for task, judged, *expected, message in cases:
            found = validator.validate(task, judged)
            assert [found.status, found.reason, found.inapplicable_action] == expected
            assert message in str(found.log_messages)
        valid = validator.validate(problem, plan)
        found = (valid.engine_name, valid.metric_evaluations)
        assert found == ("pddl-pipeline", {problem.quality_metrics[0]: 2})
        foreign = validator.validate(problem, robot.valid_plans[0])
        assert (foreign.status, foreign.inapplicable_action) == (INVALID, step)
        mutex = validator.validate(loader.problem, TimeTriggeredPlan(together))
        assert (mutex.status, mutex.reason) == (INVALID, Reason.MUTEX_CONFLICT)


def test_what_is_not_judged_is_unknown(examples: dict[str, Any]) -> None:
    example = examples["matchcellar"]
    with PlanValidator(name="pddl-pipeline") as validator:
        assert not validator.supports(example.problem.kind)
        with pytest.warns(UserWarning, match="cannot establish whether pddl-pipeline can validate"):
            result = validator.validate(example.problem, example.valid_plans[0])
        assert (result.status, result.reason) == (UNKNOWN, None)
        assert "CONTINUOUS_TIME" in result.log_messages[0].message
        with pytest.warns(UserWarning, match="cannot validate this kind of plan"):
            several = validator.validate(examples["basic"].problem, PartialOrderPlan({}))
        assert several.status is UNKNOWN
        assert "PARTIAL_ORDER_PLAN" in several.log_messages[0].message
        validator.error_on_failed_checks = True
        with pytest.raises(UPUsageError):
            validator.validate(example.problem, example.valid_plans[0])


def test_the_validator_has_no_parameters() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'tolerance'"):
        PlanValidator(name="pddl-pipeline", params={"tolerance": 1})
