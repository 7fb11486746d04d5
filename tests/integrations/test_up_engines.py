"""The validator and the planners as engines of Unified Planning."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from planner_problems import mixed_blocksworld, sample
from processes_of_tests import is_in
from unified_planning.engines import PlanGenerationResultStatus, ValidationResultStatus
from unified_planning.environment import Environment, get_environment
from unified_planning.exceptions import UPUsageError
from unified_planning.plans import PlanKind
from unified_planning.shortcuts import OneshotPlanner, PlanValidator

from pddl_pipeline import Attempt, InputError, Limits, Outcome, Solution, Status, Verdict
from pddl_pipeline.integrations.unified_planning import from_up, register, to_up
from pddl_pipeline.integrations.unified_planning.planner_results import generation_result
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners.registry import planner_named, planners
from pddl_pipeline.runs import solving

pytestmark = pytest.mark.usefixtures("registered")

Planned = PlanGenerationResultStatus


@pytest.fixture
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run in an empty folder; fail if a process, or a file in this folder, is left."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert not [*work.iterdir(), *tmp_path.glob("pddl-pipeline-*")]
    left = {each.pid for each in psutil.process_iter() if is_in(each, tmp_path)}
    assert left <= {os.getpid()}


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
    assert {"pddl-pipeline", "pddl-pipeline-enhsp", "pddl-pipeline-lama-first"} <= set(registered)
    assert "pddl-pipeline-witness" not in registered


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
    for mode, more in (
        (PlanValidator, {"plan_kind": PlanKind.SEQUENTIAL_PLAN}),
        (OneshotPlanner, {}),
    ):
        with mode(problem_kind=problem.kind, **more) as engine:
            assert "pddl-pipeline" not in engine.name


def test_engines_are_found_in_other_processes(registered: list[str]) -> None:
    """Unified Planning pickles its factory for engines that run in parallel."""
    factory = get_environment().factory
    copy = object.__new__(type(factory))
    copy.__setstate__(factory.__getstate__())
    assert {name: copy.engine(name) for name in registered} == {
        name: factory.engine(name) for name in registered
    }


def test_planners_of_this_project_are_no_engines_by_up() -> None:
    with pytest.raises(InputError, match="has no engine 'pddl-pipeline-enhsp'"):
        planner_named("up:pddl-pipeline-enhsp")


CLASSICAL = {"lama-first", "seq-opt-lmcut", "enhsp", "enhsp-opt-hrmax", "dfs", "kstar-topk"}


# The engines that accept an example, of those asked.
SUPPORT = {
    "robot_loader": CLASSICAL,
    "hierarchical_blocks_world": {*CLASSICAL, "pyperplan", "cats"},
    "basic_conditional": CLASSICAL - {"seq-opt-lmcut", "kstar-topk"},
    "robot_fluent_of_user_type": CLASSICAL - {"seq-opt-lmcut", "kstar-topk"},
    "robot_loader_weak_bridge": CLASSICAL,
    "locations_connected_cost_minimize": CLASSICAL,
    "robot_decrease": {"enhsp", "enhsp-opt-hrmax", "dfs"},
    "counter": {"enhsp", "dfs"},
    "travel": {"enhsp", "dfs"},
    "basic_undef_numeric": {"dfs"},
    "basic_oversubscription": set(),
    "matchcellar": set(),
    "htn-go": set(),
}


@pytest.mark.parametrize("example", SUPPORT)
def test_each_planner_supports_what_it_accepts(examples: dict[str, Any], example: str) -> None:
    factory, kind = get_environment().factory, examples[example].problem.kind
    for name in set().union(*SUPPORT.values()):
        engine, accepts = factory.engine(f"pddl-pipeline-{name}"), name in SUPPORT[example]
        assert (engine.supports(kind), kind <= engine.supported_kind()) == (accepts, accepts)


@pytest.mark.parametrize(
    ("example", "engine", "status"),
    [
        ("robot_fluent_of_user_type", "lama-first", Planned.SOLVED_SATISFICING),
        pytest.param(
            "locations_connected_cost_minimize", "seq-opt-lmcut", Planned.SOLVED_OPTIMALLY,
            marks=pytest.mark.long,
        ),
        pytest.param("counter", "enhsp", Planned.SOLVED_SATISFICING, marks=pytest.mark.long),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("nothing_left")
def test_a_planner_returns_a_plan_of_the_problem(
    examples: dict[str, Any], example: str, engine: str, status: Any
) -> None:
    problem = examples[example].problem
    printed = io.StringIO()
    with OneshotPlanner(name=f"pddl-pipeline-{engine}", params={"memory": "1G"}) as planner:
        result = planner.solve(problem, timeout=100, output_stream=printed)
    assert (result.status, result.engine_name) == (status, f"pddl-pipeline-{engine}")
    assert all(each.action in problem.actions for each in result.plan.actions)
    with PlanValidator(name="sequential_plan_validator") as validator:
        assert validator.validate(problem, result.plan).status is ValidationResultStatus.VALID
    assert float(result.metrics["wall_s"]) > 0
    assert printed.getvalue() == result.log_messages[-1].message != ""


@pytest.mark.long
def test_there_is_no_plan(examples: dict[str, Any]) -> None:
    problem = examples["robot_no_negative_preconditions"].problem.clone()
    problem.clear_goals()
    for place in problem.all_objects:
        problem.add_goal(problem.fluents[0](place))
    with OneshotPlanner(name="pddl-pipeline-lama-first") as planner:
        result = planner.solve(problem, timeout=100)
    assert (result.status, result.plan) == (Planned.UNSOLVABLE_PROVEN, None)


@pytest.mark.usefixtures("nothing_left")
def test_a_timeout_ends_everything() -> None:
    with OneshotPlanner(name="pddl-pipeline-fd-blind") as planner:
        result = planner.solve(to_up(mixed_blocksworld(14)).up_problem, timeout=1)
    assert (result.status, result.plan) == (Planned.TIMEOUT, None)
    assert float(result.metrics["wall_s"]) < 5
    assert result.log_messages[0].message == "stopped at the time limit"


@pytest.mark.parametrize(
    ("example", "engine", "reason"),
    [("matchcellar", "enhsp", "CONTINUOUS_TIME"), ("counter", "lama-first", "numeric")],
)
def test_problems_that_a_planner_does_not_take(
    examples: dict[str, Any], example: str, engine: str, reason: str
) -> None:
    problem = examples[example].problem
    with OneshotPlanner(name=f"pddl-pipeline-{engine}") as planner:
        with pytest.warns(UserWarning, match="cannot establish whether"):
            result = planner.solve(problem)
        assert result.status is Planned.UNSUPPORTED_PROBLEM
        assert reason in result.log_messages[0].message
        planner.error_on_failed_checks = True
        with pytest.raises(UPUsageError):
            planner.solve(problem)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"memory": "much"}, "pddl-pipeline-enhsp: 'much' is not a memory size"),
        ({"settings": "search=?"}, "pddl-pipeline-enhsp: enhsp:search="),
        ({"settings": "depth=3"}, "'depth=3', which is not a setting"),
        ({"memroy": "2G"}, "unexpected keyword argument 'memroy'"),
    ],
)
def test_parameters_are_checked(params: dict[str, Any], message: str) -> None:
    with pytest.raises((UPUsageError, TypeError), match=message.replace("?", r"\?")):
        OneshotPlanner(name="pddl-pipeline-enhsp", params=params)


def test_parameters_and_limits_reach_the_planner(
    examples: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def attempt(planner: Any, _problem: Any, limits: Limits, **_more: Any) -> Attempt:
        seen.append((planner.name, limits.time_s, limits.memory_bytes))
        return Attempt(Outcome.GAVE_UP, log=b"tried")

    monkeypatch.setattr(solving, "attempt", attempt)
    problem = examples["counter"].problem
    with OneshotPlanner(
        name="pddl-pipeline-enhsp", params={"memory": 2**28, "settings": "search=lazygbfs"}
    ) as planner:
        assert planner.solve(problem, timeout=7).status is Planned.UNSOLVABLE_INCOMPLETELY
        with pytest.warns(UserWarning, match="pddl-pipeline-enhsp ignores heuristic"):
            planner.solve(problem, heuristic=lambda _: 0)
        with pytest.raises(UPUsageError, match="time and memory limits must be positive"):
            planner.solve(problem, timeout=0)
        # As engines in parallel are called.
        planner.solve(problem, 9, None)
    assert seen == [("enhsp:search=lazygbfs", time_s, 2**28) for time_s in (7, 1e7, 9)]


def test_every_outcome_has_a_status(examples: dict[str, Any]) -> None:
    costs, numeric, free = (
        from_up(examples[name].problem) for name in ("basic_with_costs", "counter", "basic")
    )
    planner, enhsp, dfs = (planners()[name] for name in ("seq-opt-lmcut", "enhsp", "dfs"))
    plan, one = (
        str(translation.plan(examples[name].valid_plans[0]))
        for name, translation in (("basic_with_costs", costs), ("basic", free))
    )
    valid, wrong = Verdict(Status.VALID, 2, 2), Verdict(Status.INVALID, reason="no")
    found = Attempt(Outcome.PLAN_FOUND, plan, optimal=True)
    claim = Attempt(Outcome.CLAIMS_UNSOLVABLE)
    expected = [
        (planner, costs, found, valid, Planned.SOLVED_OPTIMALLY),
        (planner, costs, replace(found, optimal=False), valid, Planned.SOLVED_SATISFICING),
        # Without a metric there is nothing to be optimal in.
        (planner, free, replace(found, plan=one), valid, Planned.SOLVED_SATISFICING),
        (planner, costs, found, wrong, Planned.INTERNAL_ERROR),
        (planner, costs, found, Verdict(Status.UNDECIDED, reason="?"), Planned.INTERNAL_ERROR),
        (planner, costs, claim, None, Planned.UNSOLVABLE_PROVEN),
        (enhsp, numeric, claim, None, Planned.UNSOLVABLE_INCOMPLETELY),
        (dfs, numeric, claim, None, Planned.UNSOLVABLE_PROVEN),
        (planner, numeric, claim, Verdict(Status.DISPUTED, reason="?"), Planned.INTERNAL_ERROR),
        (planner, costs, Attempt(Outcome.GAVE_UP), None, Planned.UNSOLVABLE_INCOMPLETELY),
        (planner, costs, Attempt(Outcome.TIMEOUT), None, Planned.TIMEOUT),
        (planner, costs, Attempt(Outcome.MEMOUT), None, Planned.MEMOUT),
        (planner, costs, Attempt(Outcome.UNSUPPORTED), None, Planned.UNSUPPORTED_PROBLEM),
        (planner, costs, Attempt(Outcome.INPUT_ERROR), None, Planned.INTERNAL_ERROR),
        (planner, costs, Attempt(Outcome.CRASH, reason="broke"), None, Planned.INTERNAL_ERROR),
        (planner, costs, Attempt(Outcome.LOST), None, Planned.INTERNAL_ERROR),
    ]
    for engine, translation, done, verdict, status in expected:
        result = generation_result("e", Solution(engine, done, verdict), translation)
        assert (result.status, result.plan is None) == (status, verdict is not valid), done
    assert {done.outcome for _, _, done, _, _ in expected} == set(Outcome)
    refused = generation_result("e", Solution(planner, found, wrong), costs)
    assert refused.log_messages[0].message == f"the planner's plan is invalid: no\n{plan}"
