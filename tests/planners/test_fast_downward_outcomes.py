"""Outcomes of Fast Downward: its own limits, its costs, and the searches of the user."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planner_outcomes import COSTS, UNSOLVABLE, altered, run
from planner_problems import hard_blocksworld, sample

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.planner import Planner, UpEngine
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.validation.task import task_of


def test_fast_downward_may_prove_unsolvability_where_a_cost_has_no_value() -> None:
    """Only ENHSP confuses the two; a cost that no action needs may be omitted."""
    domain = """(define (domain d) (:requirements :strips :action-costs)
      (:predicates (p) (q) (r)) (:functions (total-cost) - number (toll) - number)
      (:action go :parameters () :precondition (p) :effect (and (q) (increase (total-cost) 1)))
      (:action pay :parameters () :precondition (r)
       :effect (and (q) (increase (total-cost) (toll)))))"""
    problem = """(define (problem x) (:domain d) (:init (= (total-cost) 0))
      (:goal (q)) (:metric minimize (total-cost)))"""
    done = run("lama-first", Problem(domain, problem))
    assert done.outcome is Outcome.CLAIMS_UNSOLVABLE, done.reason


def with_option(planner: str, name: str, value: str) -> Planner:
    """Return a planner with another option of Fast Downward's driver."""
    plain = planner_named(planner)

    def adapt(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
        assert plain.adapt is not None
        return plain.adapt((*command[:2], name, value, *command[2:]), limits)

    return replace(plain, adapt=adapt)


@pytest.mark.parametrize(
    ("option", "value", "outcome", "says"),
    [
        ("--search-memory-limit", "60M", Outcome.MEMOUT, "the search ran out of memory"),
        ("--translate-memory-limit", "40M", Outcome.MEMOUT, "the translator ran out of memory"),
        ("--translate-memory-limit", "20M", Outcome.MEMOUT, "the translator ran out of memory"),
        ("--translate-time-limit", "0", Outcome.TIMEOUT, "ran out of time"),
        ("--search-time-limit", "1", Outcome.TIMEOUT, "the search ran out of time"),
    ],
)
def test_fast_downward_keeps_limits_of_its_own(
    option: str, value: str, outcome: Outcome, says: str
) -> None:
    done = run(with_option("fd-blind", option, value), hard_blocksworld())
    assert (done.outcome, done.hit) == (outcome, None), done.reason
    assert says in (done.reason or "")


def test_fast_downward_knows_the_memory_limit() -> None:
    limits = Limits(time_s=60, memory_bytes=200 << 20)
    done = run("fd-blind", hard_blocksworld(), limits)
    assert done.outcome is Outcome.MEMOUT
    assert done.reason == "Fast Downward: the search ran out of memory"
    assert done.statistics.expanded


def test_lama_without_the_anytime_mode_is_solved() -> None:
    """The planner writes its plans to numbered files."""
    plain = UpEngine("fast-downward", {"fast_downward_alias": "seq-sat-lama-2011"})
    planner = replace(planner_named("lama"), engine=plain)
    problem = sample("ferry")
    done = run(planner, problem)
    assert done.outcome is Outcome.PLAN_FOUND
    assert task_of(problem).judge(done.plan or "").status == "valid"


@pytest.mark.parametrize(
    ("problem", "outcome"),
    [
        (COSTS, Outcome.PLAN_FOUND),
        (altered(COSTS, "(= (total-cost) 0)", ""), Outcome.PLAN_FOUND),
        (altered(COSTS, "-cost) 1)", "-cost) 1.5)"), Outcome.UNSUPPORTED),
        (
            Problem(
                COSTS.domain_pddl.replace("total-cost", "total-price"),
                COSTS.problem_pddl.replace("total-cost", "total-price"),
            ),
            Outcome.UNSUPPORTED,
        ),
    ],
    ids=["one function an action", "total-cost left out", "a fraction", "another name"],
)
def test_costs_that_fast_downward_serves(problem: Problem, outcome: Outcome) -> None:
    done = run("seq-opt-lmcut", problem)
    assert done.outcome is outcome, done.reason
    if outcome is Outcome.PLAN_FOUND:
        assert task_of(problem).judge(done.plan or "").cost == 52


def test_axioms_that_an_admissible_heuristic_lacks_are_unsupported() -> None:
    goal = "(:goal (or (on b1 b2) (forall (?x) (or (on b1 b2) (on ?x b1))))))"
    problem = UNSOLVABLE.problem_pddl.replace("(:goal (and (on b1 b2) (on b2 b1))))", goal)
    assert problem != UNSOLVABLE.problem_pddl
    assert (
        run("seq-opt-lmcut", replace(UNSOLVABLE, problem_pddl=problem)).outcome
        is Outcome.UNSUPPORTED
    )


def test_wrong_search_of_the_user_is_an_input_error() -> None:
    done = run("fd:astar(lmcot())", sample("ferry"))
    assert done.outcome is Outcome.INPUT_ERROR
    assert done.reason is not None
    assert done.reason.startswith("Fast Downward: the search options are not accepted: ")
    assert "lmcot" in done.reason


def test_any_search_of_the_user_runs_spaces_included() -> None:
    done = run("fd:eager_greedy([ff()], preferred=[ff()])", sample("ferry"))
    assert done.outcome is Outcome.PLAN_FOUND
