"""The command lines of engines are those that Unified Planning makes."""

from __future__ import annotations

import pytest
from planner_outcomes import command_of

from pddl_pipeline.planners.planner import DOMAIN, PLAN, PROBLEM
from pddl_pipeline.planners.registry import planner_named, planners
from pddl_pipeline.planners.unified_planning import environment

ENGINES = [name for name, each in planners().items() if each.engine and each.engine != each.start]


@pytest.mark.parametrize("name", [*ENGINES, "enhsp:search=WAStar", "fd:astar(ff())"])
def test_the_command_is_that_of_unified_planning(name: str) -> None:
    planner = planner_named(name)
    engine = planner.engine
    assert engine is not None
    known = environment().factory.engine(engine.name)(**engine.parameters)
    make = known._get_anytime_cmd if engine.anytime else known._get_cmd
    # With -npm, plans of PDDL+ would lack their end; other plans stay the same.
    words = [str(part) for part in make(DOMAIN, PROBLEM, PLAN) if part != "-npm"]
    assert [word for word in command_of(planner).words() if word != "-npm"] == words
