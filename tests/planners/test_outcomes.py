"""Correct outcomes in situations that are often reported wrongly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from planner_problems import HARD_COUNTDOWN, LIMITS, hard_blocksworld, mixed_blocksworld, sample

from pddl_pipeline import read_task, translate
from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.planners.sandbox.request import UpEngine
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of

COSTS = sample("budget-blocksworld")
UNSOLVABLE_NUMBERS = translate(
    from_record({"id": "a", "domain": "countdown", "numbers": [1, 1], "target": 24})
)
UNSOLVABLE = Problem(
    sample("blocksworld").domain_pddl,
    """(define (problem two-ways) (:domain blocksworld) (:objects b1 b2)
      (:init (clear b1) (clear b2) (ontable b1) (ontable b2) (handempty))
      (:goal (and (on b1 b2) (on b2 b1))))""",
)


def run(planner: Planner | str, problem: Problem, limits: Limits = LIMITS) -> Attempt:
    chosen = planner_named(planner) if isinstance(planner, str) else planner
    return attempt(chosen, problem, limits)


def altered(problem: Problem, old: str, new: str) -> Problem:
    """Return a problem with another text in one place."""
    assert old in problem.problem_pddl
    return replace(problem, problem_pddl=problem.problem_pddl.replace(old, new))


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


COST = "(increase (total-cost) (pick-up-cost))"


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
    done = attempt(planner_named("lama-first"), broken, LIMITS, via_up=True)
    assert done.outcome is Outcome.UNSUPPORTED
    assert "Unified Planning cannot read the problem" in (done.reason or "")


def test_what_unified_planning_takes_for_unsupported_names_what_is_missing() -> None:
    done = attempt(planner_named("lama-first"), sample("countdown"), LIMITS, via_up=True)
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
