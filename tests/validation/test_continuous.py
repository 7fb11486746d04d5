"""Verdicts in continuous time, beside a second evaluator that integrates with small steps."""

from __future__ import annotations

import pytest
from hybrid_by_hand import HYBRIDS, Hybrid, Run, Unclear
from hypothesis import given, settings

from pddl_pipeline import read_task


def check(task: Hybrid) -> None:
    domain, problem, plan = task.texts()
    verdict = read_task(domain, problem).judge(plan)
    try:
        expected = Run(task).verdict()
    except Unclear:
        return
    if "roots of too many polynomials" in (verdict.reason or ""):
        return
    assert (verdict.status, verdict.failed_step) == expected, (verdict, task.texts())


@pytest.mark.parametrize("count", [60, pytest.param(400, marks=pytest.mark.long)])
def test_verdicts_are_those_of_integration_with_small_steps(count: int) -> None:
    settings(max_examples=count)(given(HYBRIDS)(check))()
