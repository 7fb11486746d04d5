"""A result as run stores contain it, which tests vary, and stores of such results."""

from __future__ import annotations

import json
from pathlib import Path

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.runs.store import iterate_store, result_to_json

RESULT = RunResult(
    key="k0",
    id="a",
    domain="ferry",
    size=2,
    planner="lama-first",
    planner_version="1",
    outcome=Outcome.PLAN_FOUND,
    status=Status.VALID,
    plan=("(sail l0 l1)",),
    cost=1,
    steps=1,
    within_budget=None,
    wall_s=0.5,
    cpu_s=0.4,
    memory_mb=100.5,
    expanded=7,
    limits={"time_s": 60.0, "memory_mb": 3584.0, "hit": None},
    reason=None,
    opinions={},
    started="2026-01-01T00:00:00.000+00:00",
    log="logs/k0/engine.log",
)


def write_store(folder: Path, *results: RunResult) -> Path:
    """Write a store with these results; return its folder."""
    folder.mkdir(parents=True)
    lines = [json.dumps(result_to_json(result)) + "\n" for result in results]
    (folder / "runs.jsonl").write_text("".join(lines))
    return folder


def read_store(folder: Path) -> list[RunResult]:
    """Return the results of a store."""
    return list(iterate_store(folder))
