"""Real planners in real child processes: what comes of an attempt."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from heapq import heappop, heappush

import pytest
from planner_problems import LIMITS, sample

from pddl_pipeline import read_task, translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.translators.registry import translator
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

SUITED = [
    (domain, planner)
    for domain in domain_names()
    for planner in ("enhsp", "lama-first", "lama", "seq-opt-lmcut", "fd-blind")
    if planner == "enhsp" or "numeric" not in translator(domain).features
]


@pytest.mark.parametrize(("domain", "planner"), SUITED)
def test_planner_solves_the_sample(domain: str, planner: str) -> None:
    problem = sample(domain)
    done = attempt(planner_named(planner), problem, LIMITS)
    assert done.outcome is Outcome.PLAN_FOUND, done.reason
    assert done.plan is not None
    verdict = read_task(problem.domain, problem.problem).judge(done.plan)
    assert verdict.status == "valid", verdict.reason
    assert done.statistics.expanded is not None
    assert done.wall_s > 0
    assert done.memory_mb > 1


def cheapest(task: Task) -> Number:
    """Return the cost of the cheapest plan, by uniform-cost search over all states."""
    queue: list[tuple[Number, int, State]] = [(0, 0, task.initial_state())]
    done: set[frozenset[Ground]] = set()
    count = 0
    while queue:
        cost, _, state = heappop(queue)
        if task.goal_holds(state):
            return cost
        if frozenset(state.facts) not in done:
            done.add(frozenset(state.facts))
            for _, after in task.successors(state):
                count += 1
                heappush(queue, (after.values["total-cost",], count, after))
    raise AssertionError("no plan")


@pytest.mark.parametrize("planner", ["seq-opt-lmcut", "fd-blind"])
@pytest.mark.parametrize("put_down", [1, 20])
def test_optimal_planners_give_the_cheapest_plan(planner: str, put_down: int) -> None:
    record = {
        "id": "a",
        "domain": "budget-blocksworld",
        "init": [["b1", "b2", "b3"], ["b4"]],
        "holding": None,
        "goal": [["on", "b1", "b4"], ["on", "b4", "b2"]],
        "costs": {"pick-up": 1, "unstack": 2, "put-down": put_down, "stack": 3},
        "budget": None,
    }
    problem = translate(from_record(record))
    task = read_task(problem.domain, problem.problem)
    done = attempt(planner_named(planner), problem, LIMITS)
    assert task.judge(done.plan or "").cost == cheapest(task)


def test_forty_concurrent_fast_downward_runs() -> None:
    """In one shared directory, runs overwrite each other's files and give wrong answers."""
    names = [name for name in domain_names() if "numeric" not in translator(name).features]
    problems = [sample(names[number % len(names)]) for number in range(40)]
    with ThreadPoolExecutor(max_workers=40) as pool:
        planner = planner_named("lama-first")
        done = list(pool.map(lambda problem: attempt(planner, problem, LIMITS), problems))
    for problem, each in zip(problems, done, strict=True):
        assert each.outcome is Outcome.PLAN_FOUND, each.reason
        verdict = read_task(problem.domain, problem.problem).judge(each.plan or "")
        assert verdict.status == "valid", verdict.reason


def test_a_plan_that_misses_the_target_is_found_out() -> None:
    """ENHSP compares doubles with a tolerance: 1/716539 counts as 0 for it."""
    record = {"id": "a", "domain": "countdown", "numbers": [1, 97, 89, 83], "target": 0}
    problem = translate(from_record(record))
    done = attempt(planner_named("enhsp"), problem, LIMITS)
    assert done.outcome is Outcome.PLAN_FOUND
    verdict = read_task(problem.domain, problem.problem).judge(done.plan or "")
    assert verdict.status == "invalid"
    assert "1/716539 = 0 is false" in (verdict.reason or "")


@pytest.mark.parametrize(
    ("planner", "record"),
    [
        ("enhsp", {"id": "a", "domain": "countdown", "numbers": [1, 1], "target": 24}),
        (
            "lama-first",
            {
                "id": "a",
                "domain": "blocksworld",
                "init": [["b1", "b2"]],
                "holding": None,
                "goal": [["on", "b1", "b2"], ["on", "b2", "b1"]],
            },
        ),
    ],
)
def test_unsolvable_is_a_claim(planner: str, record: dict[str, object]) -> None:
    done = attempt(planner_named(planner), translate(from_record(record)), LIMITS)
    assert done.outcome is Outcome.CLAIMS_UNSOLVABLE
    assert done.plan is None


def test_unsupported_names_what_is_missing() -> None:
    done = attempt(planner_named("lama-first"), sample("countdown"), LIMITS)
    assert done.outcome is Outcome.UNSUPPORTED
    assert "GENERAL_NUMERIC_PLANNING" in (done.reason or "")


def test_what_unified_planning_cannot_read_is_unsupported() -> None:
    broken = replace(sample("blocksworld"), problem="(define (problem x) (:domain y))")
    done = attempt(planner_named("lama-first"), broken, LIMITS)
    assert done.outcome is Outcome.UNSUPPORTED
    assert "Unified Planning cannot read the problem" in (done.reason or "")


@pytest.mark.parametrize("planner", ["lama-first", "seq-opt-lmcut", "enhsp"])
def test_goal_that_holds_at_the_start(planner: str) -> None:
    problem = sample("blocksworld")
    done_already = replace(
        problem, problem=problem.problem.replace("(on b1 b2) (on b2 b3)", "(clear b3)")
    )
    assert done_already != problem
    done = attempt(planner_named(planner), done_already, Limits(time_s=30))
    assert (done.outcome, done.plan) == (Outcome.PLAN_FOUND, "")


def test_missing_initial_value_is_no_proof_of_unsolvability() -> None:
    problem = sample("countdown")
    broken = replace(problem, problem=problem.problem.replace("(= (value n4) 6)", ""))
    done = attempt(planner_named("enhsp"), broken, LIMITS)
    assert done.outcome is Outcome.INPUT_ERROR
    assert done.reason == "a numeric fluent has no initial value"


def test_makespan_without_time_is_the_number_of_steps() -> None:
    problem = sample("ferry")
    text = problem.problem.rstrip()[:-1] + "(:metric minimize (total-time)))"
    done = attempt(planner_named("seq-opt-lmcut"), replace(problem, problem=text), LIMITS)
    verdict = read_task(problem.domain, text).judge(done.plan or "")
    assert (verdict.status, verdict.cost) == ("valid", verdict.steps)


def test_fast_downward_may_prove_unsolvability_where_a_cost_has_no_value() -> None:
    """Only ENHSP confuses the two; a cost that no action can need may be left out."""
    domain = """(define (domain d) (:requirements :strips :action-costs)
      (:predicates (p) (q) (r)) (:functions (total-cost) - number (toll) - number)
      (:action go :parameters () :precondition (p) :effect (and (q) (increase (total-cost) 1)))
      (:action pay :parameters () :precondition (r)
       :effect (and (q) (increase (total-cost) (toll)))))"""
    problem = """(define (problem x) (:domain d) (:init (= (total-cost) 0))
      (:goal (q)) (:metric minimize (total-cost)))"""
    done = attempt(planner_named("lama-first"), Problem(domain, problem), LIMITS)
    assert done.outcome is Outcome.CLAIMS_UNSOLVABLE, done.reason
