"""Claims that there is no plan are checked if a complete solver is known."""

from __future__ import annotations

import sys

import pytest
from planner_outcomes import countdown
from planner_problems import LIMITS, sample

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.planners.planner import Planner, Termination
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
    ending=lambda _, __: Termination(Outcome.CLAIMS_UNSOLVABLE, REASON),
    features=frozenset({"numeric", "general-numeric"}),
)
SOLVABLE, UNSOLVABLE = countdown(3, 3, 8, 8, target=24), countdown(1, 1, 1, 1, target=24)


def claimed(problem: Problem, planner: Planner = LIAR) -> Solution:
    found = solve_task(planner, task_of(problem), problem, LIMITS)
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
    assert found.verdict is None
    assert found.attempt.reason == f"{REASON}; countdown-exact finds a plan that is invalid"


@pytest.mark.parametrize(
    ("problem", "reason"),
    [(UNSOLVABLE, f"{REASON}; countdown-exact proves it"), (sample("ferry"), REASON)],
    ids=["true claim", "another domain"],
)
def test_a_claim_that_is_proved_or_not_checked(problem: Problem, reason: str) -> None:
    found = claimed(problem)
    assert (found.attempt.reason, found.verdict) == (reason, None)


def test_the_solver_does_not_check_itself() -> None:
    found = claimed(UNSOLVABLE, planner_named("countdown-exact"))
    assert "countdown-exact proves it" not in (found.attempt.reason or "")
