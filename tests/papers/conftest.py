"""Runs of planners for the studies: stored ones, and real ones under make test-long.

A test that needs another run fails with a `KeyError` of its instance and planner; the row to add to
study_runs.jsonl has the plan, its cost and the expanded states of the real run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from places import SUPPORT
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.study import Workbench
from pddl_pipeline.papers.tutorial import problems
from pddl_pipeline.planners.planner import Planner

ROWS = map(json.loads, (SUPPORT / "study_runs.jsonl").read_text().splitlines())
STORED = {(row["id"], row["planner"]): row for row in ROWS}


def result(instance: Instance[Any], planner: str) -> RunResult:
    """Return the stored run of a planner, which found a valid plan or none."""
    row = STORED[instance.id, planner]
    (plan,) = row["plans"] or [None]
    return replace(
        RESULT, id=instance.id, domain=instance.domain, size=instance.size, planner=planner,
        outcome=Outcome.GAVE_UP if plan is None else Outcome.PLAN_FOUND,
        status=None if plan is None else Status.VALID, plan=plan, cost=row["cost"],
        steps=None if plan is None else len(plan), expanded=row["expanded"],
    )  # fmt: skip


def attempt(planner: Planner, *_: Any, instance: Instance[Any]) -> SimpleNamespace:
    """Return the stored run of a planner that finds several plans."""
    first, *further = ("\n".join(plan) for plan in STORED[instance.id, planner.name]["plans"])
    done = SimpleNamespace(
        plan=first, further_plans=further, wall_s=1, reason=None, outcome=Outcome.PLAN_FOUND
    )
    return SimpleNamespace(attempt=done)


@pytest.fixture(params=["stored", pytest.param("real", marks=pytest.mark.long)])
def runs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[RunResult]:
    """Let studies use the stored runs; return a list, to which the runs of a study are added."""
    found, real = list[RunResult](), Workbench.solve

    def solve(
        self: Workbench, store: str, instances: Sequence[Instance[Any]], planners: Sequence[str],
        *others: Any, **encoding: str,
    ) -> list[RunResult]:  # fmt: skip
        if request.param == "real":
            made = real(self, store, instances, planners, *others, **encoding)
        else:
            made = [result(instance, planner) for instance in instances for planner in planners]
        found.extend(made)
        return made

    monkeypatch.setattr(Workbench, "solve", solve)
    if request.param == "stored":
        monkeypatch.setattr(problems, "solve_task", attempt)
    return found
