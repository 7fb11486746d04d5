"""Instances and runs of the study of the second phase transition, which never ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from places import ROOT
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.countdown.transition_data import Case, Solver, cases_of
from pddl_pipeline.papers.stored_runs import StoredRun
from pddl_pipeline.translators.records import from_record

STUDIES = ROOT / "studies"


in_checkout = pytest.mark.skipif(not STUDIES.is_dir(), reason="the sdist has no stored runs")


def made(arm: str, sizes: Mapping[int, int]) -> list[Case]:
    """Return instances that are never run."""
    records = (
        {"id": f"{arm}-{size}-{k}", "domain": "countdown", "numbers": [1] * size, "target": size}
        for size, number in sizes.items()
        for k in range(number)
    )
    return list(cases_of(arm, map(from_record, records)))


def ran(case: Case, solver: Solver, *, valid: bool | None, miss: str = "0") -> StoredRun:
    """Return a run with a valid plan, with a false claim, or without a plan (None)."""
    limits = {
        "time_s": 3600.0,
        "cpu_s": 120.0,
        "memory_mb": 3584.0,
        "hit": None if valid is not None else "cpu",
    }
    result = replace(
        RESULT, id=case.instance.id, size=case.size, planner=solver.planner, limits=limits, plan=(),
        outcome=Outcome.TIMEOUT if valid is None else Outcome.PLAN_FOUND,
        status=None if valid is None else Status.VALID if valid else Status.INVALID,
    )  # fmt: skip
    record, measures = {"numbers": [1] * case.size}, {} if valid is None else {"miss": miss}
    return StoredRun(result, solver.encoding, record, "here", measures)
