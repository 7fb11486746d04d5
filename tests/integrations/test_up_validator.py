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


def test_verdicts_as_results(examples: dict[str, Any]) -> None:
    example = examples["basic_with_costs"]
    (plan,) = example.valid_plans
    problem = example.problem
    with PlanValidator(name="pddl-pipeline") as validator:
        valid = validator.validate(problem, plan)
        assert valid.status is VALID
        assert valid.engine_name == "pddl-pipeline"
        assert valid.metric_evaluations == {problem.quality_metrics[0]: 2}
        missed = validator.validate(problem, SequentialPlan([], problem.environment))
        assert (missed.status, missed.reason) == (INVALID, FailedValidationReason.UNSATISFIED_GOALS)
        assert missed.inapplicable_action is None
        assert missed.metric_evaluations is None
        assert missed.log_messages[0].message.startswith("goal not satisfied: ")
        robot = examples["robot_no_negative_preconditions"]
        (step,) = robot.valid_plans[0].actions
        again = step.action(*step.actual_parameters)
        twice = validator.validate(robot.problem, SequentialPlan([step, again]))
        assert (twice.status, twice.reason) == (INVALID, FailedValidationReason.INAPPLICABLE_ACTION)
        assert twice.inapplicable_action is again
        assert "step 2 (move l1 l2)" in twice.log_messages[0].message
        foreign = validator.validate(problem, robot.valid_plans[0])
        assert (foreign.status, foreign.inapplicable_action) == (INVALID, step)


def test_times_and_orders_as_results(examples: dict[str, Any]) -> None:
    problem = examples["robot_loader"].problem
    steps = examples["robot_loader"].valid_plans[0].actions
    with PlanValidator(problem_kind=problem.kind, name="pddl-pipeline") as validator:
        apart = TimeTriggeredPlan([(Fraction(n), each, None) for n, each in enumerate(steps)])
        assert validator.validate(problem, apart).status is VALID
        first, second = steps[1], steps[2]
        together = TimeTriggeredPlan(
            [
                (Fraction(0), steps[0], None),
                *((Fraction(1), each, None) for each in (first, second)),
            ]
        )
        result = validator.validate(problem, together)
        assert (result.status, result.reason) == (INVALID, FailedValidationReason.MUTEX_CONFLICT)


def test_what_is_not_judged_is_unknown(examples: dict[str, Any]) -> None:
    example = examples["matchcellar"]
    with PlanValidator(name="pddl-pipeline") as validator:
        assert not validator.supports(example.problem.kind)
        with pytest.warns(UserWarning, match="cannot establish whether pddl-pipeline can validate"):
            result = validator.validate(example.problem, example.valid_plans[0])
        assert result.status is UNKNOWN
        assert result.reason is None
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
