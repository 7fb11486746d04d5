"""Correct outcomes in situations that are often reported wrongly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from planner_outcomes import UNSOLVABLE, altered, run
from planner_problems import HARD_COUNTDOWN, LIMITS, mixed_blocksworld, sample

from pddl_pipeline import read_task, translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.translators.records import from_record

UNSOLVABLE_NUMBERS = translate(
    from_record({"id": "a", "domain": "countdown", "numbers": [1, 1], "target": 24})
)


def adapted(planner: str, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Planner:
    """Return a planner whose final command line is changed."""
    plain = planner_named(planner)

    def adapt(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
        return change(plain.adapt(command, limits) if plain.adapt else command)

    return replace(plain, adapt=adapt)


@pytest.mark.parametrize(
    ("planner", "problem"),
    [
        ("enhsp", UNSOLVABLE_NUMBERS),
        ("enhsp", UNSOLVABLE),
        ("enhsp-opt-blind", UNSOLVABLE),
        ("enhsp-anytime", UNSOLVABLE),
        ("lama-first", UNSOLVABLE),
        ("lama", UNSOLVABLE),
        ("seq-opt-lmcut", UNSOLVABLE),
        ("symk-opt", UNSOLVABLE),
        ("kstar-topk", UNSOLVABLE),
        ("forbiditerative-diverse", UNSOLVABLE),
        ("pyperplan", UNSOLVABLE),
        ("lpg", UNSOLVABLE),
    ],
)
def test_unsolvable_is_a_claim(planner: str, problem: Problem) -> None:
    done = run(planner, problem)
    assert (done.outcome, done.plan) == (Outcome.CLAIMS_UNSOLVABLE, None), done.reason


@pytest.mark.parametrize("planner", ["tamer", "fd:ehc(ff())", "fd:lazy_greedy([ff()],bound=1)"])
def test_an_incomplete_search_that_ends_gave_up(planner: str) -> None:
    problem = sample("ferry") if "bound" in planner else UNSOLVABLE
    assert run(planner, problem).outcome is Outcome.GAVE_UP


GARBAGE = "(define (problem x"


@pytest.mark.parametrize(
    "planner", ["enhsp", "lama-first", "kstar-topk", "symk-opt", "pyperplan", "lpg"]
)
def test_broken_pddl_is_an_input_error(planner: str) -> None:
    done = run(planner, replace(sample("ferry"), problem_pddl=GARBAGE))
    assert done.outcome is Outcome.INPUT_ERROR, done.reason


def test_enhsp_names_what_it_could_not_read() -> None:
    """Its grammar has no action called start, which is PDDL."""
    domain = sample("ferry").domain_pddl.replace("(:action sail", "(:action start")
    done = run("enhsp", replace(sample("ferry"), domain_pddl=domain))
    assert done.outcome is Outcome.INPUT_ERROR
    assert done.reason is not None
    assert done.reason.startswith("ENHSP could not read the problem: line ")
    assert done.reason.endswith("mismatched input 'start' expecting NAME")


@pytest.mark.parametrize("planner", ["enhsp", "lama-first"])
def test_missing_file_is_an_input_error(planner: str) -> None:
    def elsewhere(command: tuple[str, ...]) -> tuple[str, ...]:
        return tuple("missing.pddl" if word == "problem.pddl" else word for word in command)

    done = run(adapted(planner, elsewhere), sample("ferry"))
    assert done.outcome is Outcome.INPUT_ERROR, done.reason


def test_missing_initial_value_is_no_proof_of_unsolvability() -> None:
    done = run("enhsp", altered(sample("countdown"), "(= (value n4) 6)", ""))
    assert done.outcome is Outcome.INPUT_ERROR
    assert done.reason == "a numeric fluent has no initial value"


def test_full_heap_is_out_of_memory() -> None:
    def small_heap(command: tuple[str, ...]) -> tuple[str, ...]:
        place = command.index("-jar")
        return (*command[:place], "-Xmx8m", *command[place:])

    problem = translate(from_record(HARD_COUNTDOWN))
    # So small that even a slow machine fills it at once. Java reports it, or collects garbage
    # until the time limit.
    done = run(adapted("enhsp", small_heap), problem, Limits(time_s=10))
    assert done.outcome is Outcome.MEMOUT, done.reason
    done = run("enhsp", problem, Limits(time_s=2))
    assert done.outcome is Outcome.TIMEOUT, done.reason


@pytest.mark.parametrize("planner", ["seq-opt-lmcut", "fd-blind", "enhsp-opt-blind", "symk-opt"])
def test_optimal_without_a_metric_is_optimal_in_length(planner: str) -> None:
    done = run(planner, sample("grippers"))
    assert done.optimal
    assert len((done.plan or "").splitlines()) == 8


def test_first_and_interrupted_plans_are_not_called_optimal() -> None:
    assert run("lama-first", sample("grippers")).optimal is False
    assert run("lama", mixed_blocksworld(16), Limits(time_s=3)).optimal is False


@pytest.mark.parametrize(
    "planner", ["lama-first", "symk-opt", "kstar-topk", "forbiditerative-diverse", "pyperplan"]
)
def test_numbers_are_unsupported_by_classical_planners(planner: str) -> None:
    done = run(planner, sample("countdown"))
    assert done.outcome is Outcome.UNSUPPORTED, done.reason


@pytest.mark.parametrize(
    "planner",
    [
        "lama-first",
        "seq-opt-lmcut",
        "enhsp",
        "symk-opt",
        "kstar-topk",
        "pyperplan",
        "tamer",
        "aries",
        "lpg",
    ],
)
def test_goal_that_holds_at_the_start(planner: str) -> None:
    done_already = altered(sample("blocksworld"), "(on b1 b2) (on b2 b3)", "(clear b3)")
    done = run(planner, done_already, Limits(time_s=30))
    assert (done.outcome, done.plan) == (Outcome.PLAN_FOUND, ""), done.reason


@pytest.mark.parametrize("metric", ["(total-time)", "total-time"])
@pytest.mark.parametrize("planner", ["seq-opt-lmcut", "symk-opt", "enhsp"])
def test_makespan_without_time_is_the_number_of_steps(planner: str, metric: str) -> None:
    problem = sample("ferry")
    text = problem.problem_pddl.rstrip()[:-1] + f"(:metric minimize {metric}))"
    done = run(planner, replace(problem, problem_pddl=text))
    verdict = read_task(problem.domain_pddl, text).judge(done.plan or "")
    assert (verdict.status, verdict.cost) == ("valid", verdict.steps)


def test_what_unified_planning_cannot_read_is_unsupported_through_it() -> None:
    broken = replace(sample("blocksworld"), problem_pddl="(define (problem x) (:domain y))")
    done = attempt(planner_named("up:fast-downward"), broken, LIMITS)
    assert done.outcome is Outcome.UNSUPPORTED
    assert "Unified Planning cannot read the problem" in (done.reason or "")


def test_what_unified_planning_takes_for_unsupported_names_what_is_missing() -> None:
    done = attempt(planner_named("up:fast-downward"), sample("countdown"), LIMITS)
    assert done.outcome is Outcome.UNSUPPORTED
    assert "GENERAL_NUMERIC_PLANNING" in (done.reason or "")


@pytest.mark.parametrize(
    ("planner", "domain", "figures"),
    [
        ("enhsp", "countdown", {"expanded": 307, "evaluated": 473, "claimed_cost": 4}),
        ("lama-first", "blocksworld", {"expanded": 9, "evaluated": 10, "generated": 22}),
        ("seq-opt-lmcut", "budget-blocksworld", {"claimed_cost": 52, "expanded": 13}),
    ],
)
def test_figures_are_those_of_the_log(planner: str, domain: str, figures: dict[str, int]) -> None:
    found = run(planner, sample(domain)).statistics
    assert {name: getattr(found, name) for name in figures} == figures
    assert 0 <= (found.search_s or 0) < 2
    if planner != "enhsp":
        assert 5 < (found.planner_memory_mb or 0) < 100
