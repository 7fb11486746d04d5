"""Real planners on the rational encoding."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from planner_problems import LIMITS

from pddl_pipeline import solve, translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.runs.store import read_store
from pddl_pipeline.translators.records import from_record

if TYPE_CHECKING:
    from command_line import Cli

FRACTIONS = {"id": "a", "domain": "countdown", "numbers": [3, 3, 8, 8], "target": 24}
TINY_QUOTIENT = {"id": "b", "domain": "countdown", "numbers": [1, 97, 89, 83], "target": 0}
"""The smallest positive value that these four numbers make is 1 / 716539."""


@pytest.mark.parametrize("planner", ["enhsp", "enhsp-strict", "countdown-exact"])
def test_a_solution_with_fractions(planner: str) -> None:
    texts = translate(from_record(FRACTIONS), encoding="rational")
    done = solve(texts.domain_pddl, texts.problem_pddl, planner, LIMITS)
    assert done.attempt.outcome is Outcome.PLAN_FOUND, done.attempt.reason
    assert done.verdict is not None
    assert done.verdict.status is Status.VALID


def test_a_tiny_quotient_is_0_in_one_encoding_only() -> None:
    """ENHSP treats differences below 1e-5 as 0; whole numbers are never that close."""
    claims = {}
    for encoding in ("paper", "rational"):
        texts = translate(from_record(TINY_QUOTIENT), encoding=encoding)
        done = solve(texts.domain_pddl, texts.problem_pddl, "enhsp", LIMITS)
        claims[encoding] = (done.attempt.outcome, done.verdict and done.verdict.status)
    assert claims == {
        "paper": (Outcome.PLAN_FOUND, Status.INVALID),
        "rational": (Outcome.CLAIMS_UNSOLVABLE, None),
    }


def test_run_hands_the_encoding_to_the_planner(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text(str(TINY_QUOTIENT).replace("'", '"'))
    arguments = ("run", "b.jsonl", "--planner", "enhsp", "--time-limit", "60s", "-o", "runs")
    assert cli(*arguments).status == 0
    assert cli(*arguments, "--encoding", "rational").status == 0
    outcomes = [(result.outcome, result.status) for result in read_store(tmp_path / "runs")]
    assert outcomes == [("plan-found", "invalid"), ("claims-unsolvable", None)]
