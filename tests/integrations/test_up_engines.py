"""The validator as an engine of Unified Planning; test_up_validator.py has its verdicts."""

from __future__ import annotations

from typing import Any

import pytest
from planner_problems import sample
from unified_planning.engines import ValidationResultStatus
from unified_planning.environment import Environment, get_environment
from unified_planning.plans import PlanKind
from unified_planning.shortcuts import PlanValidator

from pddl_pipeline.integrations.unified_planning import from_up, register, to_up
from pddl_pipeline.pddl_domains import domain_folder

pytestmark = pytest.mark.usefixtures("registered")


def test_registering_changes_no_preference(registered: list[str]) -> None:
    environment = Environment()
    factory = environment.factory
    engines, preferences = set(factory.engines), list(factory.preference_list)
    assert register(environment) == registered
    added = list(factory.engines)
    assert set(registered) <= set(added)
    assert {name for name in added if "pddl-pipeline" not in name} == engines
    assert register(factory) == registered  # A factory is accepted, and nothing is added again.
    assert (list(factory.engines), factory.preference_list) == (added, preferences)
    assert registered == ["pddl-pipeline"]


def test_problems_of_another_environment() -> None:
    environment = Environment()
    environment.credits_stream = None
    register(environment)
    translation = to_up(sample("blocksworld"), environment)
    plan = translation.up_plan(domain_folder("blocksworld") / "p01.plan")
    assert plan.environment is translation.up_problem.environment is environment
    assert from_up(translation.up_problem).up_plan(translation.plan(plan)) == plan
    with environment.factory.PlanValidator(name="pddl-pipeline") as validator:
        assert (
            validator.validate(translation.up_problem, plan).status is ValidationResultStatus.VALID
        )


def test_who_names_no_engine_gets_what_she_got(examples: dict[str, Any]) -> None:
    problem = examples["robot_loader"].problem
    with PlanValidator(problem_kind=problem.kind, plan_kind=PlanKind.SEQUENTIAL_PLAN) as engine:
        assert engine.name != "pddl-pipeline"


def test_engines_are_found_in_other_processes(registered: list[str]) -> None:
    """Unified Planning pickles its factory for engines that run in parallel."""
    factory = get_environment().factory
    copy = object.__new__(type(factory))
    copy.__setstate__(factory.__getstate__())
    assert {name: copy.engine(name) for name in registered} == {
        name: factory.engine(name) for name in registered
    }
