"""The planner enhsp-checked: it returns no false plan, on countdown and on any numeric PDDL."""

from __future__ import annotations

from fractions import Fraction

import pytest
from places import SUPPORT
from planner_outcomes import Case, altered, countdown
from planner_problems import sample

from pddl_pipeline import read_task
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.enhsp_checked import (
    FACTOR,
    FIRST_S,
    Claim,
    problem_from_state,
    repaired_plan,
)
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task, task_of

PLANNER = "enhsp-checked"
FLOATS = countdown(2**24 + 1, target=2**24)
VAN = SUPPORT / "foreign_pddl" / "numeric"
# ENHSP pours the jug a, which misses the level by 0.000001; b and c fill it exactly.
POUR = """
(define (domain pour)
  (:requirements :typing :numeric-fluents)
  (:types jug)
  (:predicates (full ?j - jug))
  (:functions (level) (volume ?j - jug))
  (:action pour :parameters (?j - jug)
    :precondition (and (full ?j))
    :effect (and (not (full ?j)) (increase (level) (volume ?j)))))
"""
JUGS = """
(define (problem jugs) (:domain pour) (:objects a b c - jug)
  (:init (full a) (full b) (full c) (= (level) 0)
         (= (volume a) 0.999999) (= (volume b) 0.25) (= (volume c) 0.75))
  (:goal (and (= (level) 1))))
"""


CASES = {
    "pouring": Case(PLANNER, Problem(POUR, JUGS), cost=2),
}
LONG = {
    "as enhsp finds it": Case(
        PLANNER, sample("countdown"), cost=4, figures={"expanded": 307, "evaluated": 473}
    ),
    # With 1, 97, 89, 83, ENHSP claims to reach 0: 1/716539 is within its tolerance.
    "only false plans": Case(PLANNER, countdown(1, 97, 89, 83, target=0), Outcome.GAVE_UP),
    "unsolvable": Case(PLANNER, countdown(2, 2, target=9), Outcome.CLAIMS_UNSOLVABLE),
    "unreadable": Case(
        PLANNER, altered(countdown(2, 2, target=4), "(= (numactive) 2)", ""), Outcome.INPUT_ERROR
    ),
    # Documented in docs/running.md: ENHSP reads floats of 32 bits, and at 2^24 the next is 2 away.
    "floats, no tolerance": Case("enhsp:tolerance=0", FLOATS, status="invalid"),
    "floats, strict": Case("enhsp-strict", FLOATS, status="invalid"),
    "a foreign domain": Case(
        PLANNER, Problem((VAN / "domain.pddl").read_text(), (VAN / "p01.pddl").read_text())
    ),
    "pouring, enhsp": Case("enhsp", Problem(POUR, JUGS), status="invalid"),
}


@pytest.mark.parametrize("name", [*CASES, *(pytest.param(n, marks=pytest.mark.long) for n in LONG)])
def test_outcome(name: str) -> None:
    done = (CASES | LONG)[name].check()
    if name == "only false plans":
        rejected = b"Rejected: step 4 (checkgoal n1): (= (value n1) (targetvalue)) does not hold"
        assert rejected in done.log
        assert done.statistics.expanded is not None


def text(steps: str) -> str:
    return "".join(f"({step})\n" for step in steps.split(", "))


FALSE = text("add n3 n1, multiply n3 n2, checkgoal n3")


def searched(task: Task, *claims: Claim) -> tuple[list[tuple[list[int], float]], object, list[str]]:
    """Repair `FALSE` with scripted claims; return the searches, the plan and the rejections."""
    asked: list[tuple[list[int], float]] = []
    waiting = list(claims)

    def search(state: State, seconds: float) -> Claim:
        board = sorted(int(state.values["value", fact[1]]) for fact in state.facts if len(fact) > 1)
        asked.append((board, seconds))
        return waiting.pop(0) if waiting else Claim(None)

    rejected: list[str] = []
    return asked, repaired_plan(task, FALSE, search, rejected), rejected


def simple() -> Task:
    return task_of(countdown(1, 3, 8, target=24))


def test_searches_begin_at_the_end_of_the_false_plan() -> None:
    asked, plan, rejected = searched(simple())
    assert [board for board, _ in asked] == [[27], [3, 9], [1, 3, 8]]
    assert {seconds for _, seconds in asked} == {FIRST_S}
    assert plan is None
    assert len(rejected) == 1
    assert "27 = 24 is false" in rejected[0]


def test_a_plan_from_a_later_state_is_put_behind_its_steps_and_judged() -> None:
    # From 3, 9 a false plan, whose new state is asked next, and from the start a valid one.
    wrong = Claim(text("add n3 n2, checkgoal n3"))
    right = Claim(text("multiply n1 n2, multiply n1 n3, checkgoal n1"))
    asked, plan, rejected = searched(simple(), Claim(None), wrong, Claim(None), right)
    assert [board for board, _ in asked] == [[27], [3, 9], [12], [1, 3, 8]]
    assert str(plan) == right.plan
    assert len(rejected) == 2


def test_searches_that_were_cut_are_repeated_with_more_time() -> None:
    cut = Claim(None, was_cut=True)
    asked, plan, _ = searched(simple(), cut, Claim(None), cut, Claim(None), cut, Claim(None))
    assert plan is None
    assert [board for board, _ in asked] == [[27], [3, 9], [1, 3, 8], [27], [1, 3, 8], [1, 3, 8]]
    assert [seconds / FIRST_S for _, seconds in asked] == [1, 1, 1, FACTOR, FACTOR, FACTOR**2]


@pytest.mark.parametrize("claim", ["(add n3)", "nonsense", "(add n1 n1)\n"])
def test_a_claim_that_is_no_plan_is_not_used(claim: str) -> None:
    _, plan, _ = searched(simple(), Claim(claim))
    assert plan is None


def test_a_problem_that_starts_in_a_later_state() -> None:
    task = read_task(POUR, JUGS)
    state = task.initial_state()
    state.facts.remove(("full", "c"))
    state.values.update({("level",): Fraction(3, 4), ("volume", "a"): Fraction(1, 3 * 10**9)})
    written = problem_from_state(task, JUGS, state)
    again = read_task(POUR, written).initial_state()
    assert again.facts == {("full", "a"), ("full", "b")}
    assert again.values["level",] == Fraction(3, 4)
    assert float(again.values["volume", "a"]) == 1 / (3 * 10**9)
    assert "e-" not in written
    assert written.split("(:goal")[1] == JUGS.split("(:goal")[1]


def test_the_rational_encoding_is_exact_in_doubles_up_to_seven_numbers_below_100() -> None:
    """A sum of fractions at most doubles the product of their largest parts."""
    assert 2**6 * 99**7 < 2**53 < 2**7 * 99**8
