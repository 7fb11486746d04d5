"""Claims that there is no plan are checked by the record, an exact solver, or a search."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from planner_outcomes import countdown
from planner_problems import LIMITS

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.planners.planner import Log, Planner, Termination
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs import solving
from pddl_pipeline.runs.solving import Solution, solve_task
from pddl_pipeline.validation.task import task_of

REASON = "the search claims so"
LIAR = Planner(
    name="liar",
    about="claims of every problem that there is no plan",
    distribution="pddl-pipeline",
    command=lambda: (sys.executable, "-ESc", ""),
    log=Log(lambda _, __: Termination(Outcome.CLAIMS_UNSOLVABLE, REASON)),
    features=frozenset({"numeric", "general-numeric"}),
)
SOLVABLE, UNSOLVABLE = countdown(3, 3, 8, 8, target=24), countdown(1, 1, 1, 1, target=24)


FLAT = "(define (domain d) (:predicates (p) (q)) (:action a :effect (p)))"


def flat(goal: str) -> Problem:
    return Problem(FLAT, f"(define (problem x) (:domain d) (:init) (:goal {goal}))")


def claimed(
    problem: Problem, planner: Planner = LIAR, instance: Instance[object] | None = None
) -> Solution:
    found = solve_task(planner, task_of(problem), problem, LIMITS, instance=instance)
    assert found.attempt.outcome is Outcome.CLAIMS_UNSOLVABLE
    return found


def test_a_false_claim_is_disputed() -> None:
    verdict = claimed(SOLVABLE).verdict
    assert verdict is not None
    assert verdict.status is Status.DISPUTED
    assert verdict.opinions["countdown-exact"].status is Status.VALID
    # The reason contains the plan that refutes the claim.
    plan = (verdict.reason or "").removeprefix(f"{REASON}; but countdown-exact finds ")
    assert task_of(SOLVABLE).judge(plan).status is Status.VALID


def test_an_invalid_plan_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Attempt(Outcome.PLAN_FOUND, plan="(add n1 n2)\n(checkgoal n1)\n")
    right = solving.attempt
    monkeypatch.setattr(
        solving, "attempt",
        lambda planner, *a, **k: right(planner, *a, **k) if planner is LIAR else wrong,
    )  # fmt: skip
    found = claimed(SOLVABLE)
    assert (found.verdict, found.confirmed_by) == (None, None)
    says = "not confirmed: countdown-exact finds no valid plan"
    assert found.attempt.reason == f"{REASON}; {says}"


CHECKS = {
    "an exact solver": (UNSOLVABLE, None, "countdown-exact", "confirmed by countdown-exact"),
    "exhaustive search": (
        flat("(q)"), None, "exhaustive search of 2 states",
        "confirmed by exhaustive search of 2 states",
    ),
    "a plan": (flat("(p)"), None, None, "but bfs finds (a)"),
    "the empty plan": (flat("(not (p))"), None, None, "but bfs finds the empty plan"),
    "a known plan": (
        replace(flat("(p)"), witness=("(a)", "(a)")), None, None,
        "but the record has the plan (a) (a)",
    ),
    "a wrong witness": (
        replace(flat("(q)"), witness=("(a)",)), None, "exhaustive search of 2 states",
        "confirmed by exhaustive search of 2 states",
    ),
    "a label": (flat("(q)"), False, "the record", "confirmed by the record"),
    "a wrong label": (
        flat("(q)"), "True", "exhaustive search of 2 states",
        "confirmed by exhaustive search of 2 states",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKS)
def test_a_claim_is_checked(name: str) -> None:
    problem, label, confirmed_by, says = CHECKS[name]
    own = None if label is None else Instance("a", "d", 1, None, extra={"solvable": label})
    found = claimed(problem, instance=own)
    reason = found.attempt.reason if found.verdict is None else found.verdict.reason
    assert (found.confirmed_by, reason) == (confirmed_by, f"{REASON}; {says}")
    disputed = found.verdict is not None and found.verdict.status is Status.DISPUTED
    assert disputed == says.startswith("but")


@pytest.mark.parametrize("label", ["True", None])
def test_a_check_that_does_not_decide(monkeypatch: pytest.MonkeyPatch, label: str | None) -> None:
    monkeypatch.setattr(solving, "EXHAUSTIVE", "bfs:states=1")
    instance = Instance("a", "d", 1, None, extra={"solvable": label})
    found = claimed(flat("(q)"), instance=instance)
    assert (found.verdict is not None, found.confirmed_by) == (label == "True", None)
    if label is None:
        assert "not confirmed: bfs: Gave up: no goal among 1 states" in (found.attempt.reason or "")


def test_the_solver_confirms_its_own_claim() -> None:
    found = claimed(UNSOLVABLE, planner_named("countdown-exact"))
    assert found.confirmed_by == "countdown-exact"
    assert "confirmed" not in (found.attempt.reason or "")
