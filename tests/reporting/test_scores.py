"""Scores against values computed by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.reporting.row import PlanCost, agile_score, par_s, plan_cost, satisficing_score

TIMEOUT = replace(RESULT, outcome=Outcome.TIMEOUT, status=None, cost=None, steps=None, wall_s=60.2)
UNSUPPORTED = replace(TIMEOUT, outcome=Outcome.UNSUPPORTED, wall_s=0.1)
INVALID = replace(RESULT, status=Status.INVALID, cost=None)
NOT_SOLVED = (TIMEOUT, UNSUPPORTED, INVALID, replace(RESULT, within_budget=False))


def solved(wall_s: float, limit: float | None = 100.0) -> RunResult:
    return replace(RESULT, wall_s=wall_s, limits={"time_s": limit})


def best(value: int | Fraction) -> PlanCost:
    return PlanCost(in_steps=False, rank=value, planner="p")


@pytest.mark.parametrize(
    ("cost", "known", "score"),
    [
        (12, 9, Fraction(3, 4)),
        (9, 9, 1),
        (Fraction(7, 3), 2, Fraction(6, 7)),
        (0, 0, 1),
        (5, 0, 0),
        (-3, -3, 1),
        (-2, -3, 0),
        (2, -3, 0),
    ],
)
def test_satisficing_score_is_the_best_cost_over_the_cost(
    cost: int | Fraction, known: int, score: int | Fraction
) -> None:
    assert satisficing_score(replace(RESULT, cost=cost), best(known)) == score


def test_steps_stand_for_a_cost_that_is_not_known() -> None:
    run = replace(RESULT, cost=None, steps=8)
    assert plan_cost(run) == PlanCost(in_steps=True, rank=8, planner="lama-first")
    assert satisficing_score(run, PlanCost(in_steps=True, rank=6, planner="p")) == Fraction(3, 4)


def test_an_exact_cost_is_known_better_than_steps() -> None:
    assert best(100) < PlanCost(in_steps=True, rank=1, planner="p")


@pytest.mark.parametrize("run", NOT_SOLVED)
def test_what_is_not_solved_scores_nothing(run: RunResult) -> None:
    # PAR-2 is twice the limit of 60 s.
    assert (satisficing_score(run, best(1)), agile_score(run), par_s(run)) == (0, 0, 120)


@pytest.mark.parametrize(
    ("wall_s", "limit", "score"),
    [
        (0.2, 100.0, 1),
        (1.0, 100.0, 1),
        (10.0, 100.0, 0.5),
        (100.0, 100.0, 0),
        (101.0, 100.0, 0),
        (0.3, 0.5, 1),
        (0.6, 0.5, 0),
        (1.0, 1.0, 1),
        (0.5, None, 1),
        (2.0, None, None),
    ],
)
def test_agile_score(wall_s: float, limit: float | None, score: float | None) -> None:
    found = agile_score(solved(wall_s, limit))
    assert found == (score if score is None else pytest.approx(score, abs=1e-12))


@pytest.mark.parametrize(
    ("run", "seconds"),
    [
        (solved(3.25), 3.25),
        (solved(100.5), 100.5),  # an anytime planner that the clock stopped
        # The limit is needed only where it counts.
        (solved(3.0, None), 3.0),
        (replace(TIMEOUT, limits={"time_s": None}), None),
    ],
)
def test_par2_of_a_run(run: RunResult, seconds: float | None) -> None:
    assert par_s(run) == seconds
