"""Claims that there is no plan are checked if a complete solver is known."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from planner_problems import LIMITS, sample

from pddl_pipeline import translate
from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs import solving
from pddl_pipeline.runs.solving import Solution, solve_task
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of

REASON = "the search claims so"


def countdown(*numbers: int, target: int) -> Problem:
    record = {"id": "a", "domain": "countdown", "numbers": list(numbers), "target": target}
    return translate(from_record(record))


def claimed(texts: Problem) -> Solution:
    """Run a planner that claims of every problem that there is no plan."""
    liar = Planner(
        name="liar",
        about="",
        distribution="pddl-pipeline",
        command=lambda: (sys.executable, "-c", ""),
        ending=lambda _, __: Termination(Outcome.CLAIMS_UNSOLVABLE, REASON),
        features=frozenset({"numeric", "general-numeric"}),
    )
    task = task_of(texts)
    return solve_task(liar, task, texts, LIMITS)


def test_false_claim_is_disputed() -> None:
    texts = countdown(3, 3, 8, 8, target=24)
    found = claimed(texts)
    assert found.attempt.outcome is Outcome.CLAIMS_UNSOLVABLE
    assert found.verdict is not None
    assert found.verdict.status is Status.DISPUTED
    assert found.verdict.opinions["countdown-exact"].status is Status.VALID
    # The reason contains the plan that refutes the claim.
    plan = (found.verdict.reason or "").removeprefix(f"{REASON}; but countdown-exact finds ")
    assert task_of(texts).judge(plan).status is Status.VALID


def test_an_invalid_plan_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = countdown(3, 3, 8, 8, target=24)
    wrong = Attempt(Outcome.PLAN_FOUND, plan="(add n1 n2)\n(checkgoal n1)\n")
    right = solving.attempt
    monkeypatch.setattr(
        solving,
        "attempt",
        lambda planner, *a, **k: right(planner, *a, **k) if planner.name == "liar" else wrong,
    )
    found = claimed(texts)
    assert found.verdict is None
    assert found.attempt.reason == f"{REASON}; countdown-exact finds a plan that is invalid"


def test_true_claim_is_proved() -> None:
    found = claimed(countdown(1, 1, 1, 1, target=24))
    assert (found.attempt.outcome, found.verdict) == (Outcome.CLAIMS_UNSOLVABLE, None)
    assert found.attempt.reason == f"{REASON}; countdown-exact proves it"


def test_claims_in_other_domains_are_not_checked() -> None:
    found = claimed(sample("ferry"))
    assert (found.attempt.reason, found.verdict) == (REASON, None)


@pytest.mark.parametrize("target", [24, 997])
def test_the_solver_does_not_check_itself(target: int) -> None:
    texts = countdown(1, 1, 1, 1, target=target)
    task = task_of(texts)
    solver = replace(planner_named("countdown-exact"))
    found = solve_task(solver, task, texts, LIMITS)
    assert found.attempt.outcome is Outcome.CLAIMS_UNSOLVABLE
    assert "countdown-exact proves it" not in (found.attempt.reason or "")
