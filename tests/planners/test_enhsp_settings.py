"""Settings of ENHSP: they reach its command line, and errors are reported in one line."""

from __future__ import annotations

import pytest
from planner_problems import LIMITS

from pddl_pipeline import solve, translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.translators.records import from_record

TINY_QUOTIENT = {"id": "b", "domain": "countdown", "numbers": [1, 97, 89, 83], "target": 0}
"""The smallest positive value that these four numbers make is 1 / 716539, about 1.4e-6."""


@pytest.mark.parametrize(
    ("tolerance", "outcome"),
    [("1e-5", Outcome.PLAN_FOUND), ("1e-7", Outcome.CLAIMS_UNSOLVABLE)],
)
def test_tolerance_is_what_counts_as_equal(tolerance: str, outcome: Outcome) -> None:
    texts = translate(from_record(TINY_QUOTIENT))
    done = solve(texts.domain_pddl, texts.problem_pddl, f"enhsp:tolerance={tolerance}", LIMITS)
    assert done.attempt.outcome is outcome


def test_other_settings_are_other_runs() -> None:
    names = ("enhsp", "enhsp:search=lazygbfs", "enhsp:heuristic=blind", "enhsp:tolerance=0")
    options = [planner_named(name).options for name in names]
    assert options[1:] == [
        {"params": "-s lazygbfs -h hadd -tolerance 1e-05"},
        {"params": "-s gbfs -h blind -tolerance 1e-05"},
        {"params": "-s gbfs -h hadd -tolerance 0.0"},
    ]
    assert options[0] not in options[1:]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("serach=gbfs", "did you mean 'search'"),
        ("search=gbfs -h blind", "Expected `str` matching regex"),
        ("tolerance=-1", "Expected `float` >= 0.0"),
        ("tolerance=little", "Expected `float`"),
    ],
)
def test_mistakes_are_told(settings: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        planner_named(f"enhsp:{settings}")
