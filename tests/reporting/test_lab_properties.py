"""What we write for Downward Lab is read by Downward Lab, with the right numbers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.reporting.lab_properties import write_lab
from pddl_pipeline.reporting.report import summarise

SOLVED = replace(
    RESULT, id="p1", cost=Fraction(9, 2), steps=4, cpu_s=3.0, wall_s=2.5, search_s=0.0,
    evaluated=11, generated=13, memory_mb=2.0,
)  # fmt: skip
FAILED = replace(RESULT, id="p1", status=None, plan=None, cost=None, steps=None, expanded=99)
OTHER = "enhsp"
DOCS = ROOT / "docs" / "report.md"


def failed(outcome: Outcome, **values: Any) -> RunResult:
    return replace(FAILED, key=f"f-{outcome}", planner=OTHER, outcome=outcome, **values)


def written(tmp_path: Path, *runs: RunResult) -> dict[str, dict[str, Any]]:
    write_lab(summarise(runs), tmp_path / "exp-eval")
    found: dict[str, dict[str, Any]] = json.loads((tmp_path / "exp-eval/properties").read_text())
    return found


def test_attributes_of_a_solved_run(tmp_path: Path) -> None:
    run = written(tmp_path, SOLVED)["lama-first-ferry-p1"]
    expected = {
        "id": ["lama-first", "ferry", "p1"], "algorithm": "lama-first", "domain": "ferry",
        "problem": "p1", "coverage": 1, "unsolvable": 0, "error": "success", "cost": 4.5,
        "plan_length": 4, "quality": 1, "expansions": 7, "evaluations": 11, "generated": 13,
        "planner_time": 3.0, "total_time": 3.0, "search_time": 0.01,
        "planner_wall_clock_time": 2.5, "memory": 2048, "raw_memory": 2048,
        "planner_memory": 2048, "run_dir": "logs/k0",
    }  # fmt: skip
    assert {name: run.get(name) for name in expected} == expected
    assert "unexplained_errors" not in run


@pytest.mark.parametrize(
    ("outcome", "error"),
    [
        (Outcome.CLAIMS_UNSOLVABLE, "search-unsolvable"),
        (Outcome.GAVE_UP, "search-unsolved-incomplete"),
        (Outcome.TIMEOUT, "search-out-of-time"),
        (Outcome.MEMOUT, "search-out-of-memory"),
        (Outcome.UNSUPPORTED, "search-unsupported"),
        (Outcome.INPUT_ERROR, "search-input-error"),
        (Outcome.CRASH, "search-critical-error"),
        (Outcome.LOST, "lost"),
    ],
)
def test_runs_without_a_plan_have_an_error_and_no_numbers_to_add(
    tmp_path: Path, outcome: Outcome, error: str
) -> None:
    run = written(tmp_path, failed(outcome, reason="why"))["enhsp-ferry-p1"]
    assert (run["coverage"], run["error"]) == (0, error)
    assert {"cost", "plan_length", "planner_time", "total_time", "memory"}.isdisjoint(run)
    claims = outcome is Outcome.CLAIMS_UNSOLVABLE
    assert (run["unsolvable"], "expansions" in run) == (int(claims), claims)
    unexplained = {Outcome.CRASH: ["Crashed runs: why"], Outcome.LOST: ["Lost runs: why"]}
    assert run.get("unexplained_errors") == unexplained.get(outcome)


@pytest.mark.parametrize(
    ("changed", "error", "coverage", "unexplained"),
    [
        ({"status": Status.INVALID}, "invalid-plan", 0, None),
        ({"within_budget": False}, "over-budget", 0, None),
        ({"status": Status.DISPUTED, "reason": "two minds"}, "disputed-plan", 0,
         ["Disputed or undecided verdicts: two minds"]),
        ({"limits": {"time_s": 60.0, "hit": "time"}}, "search-plan-found-and-out-of-time", 1, None),
    ],
)  # fmt: skip
def test_plans_that_do_not_count_or_came_late(
    tmp_path: Path, changed: dict[str, Any], error: str, coverage: int, unexplained: object
) -> None:
    run = written(tmp_path, replace(SOLVED, **changed))["lama-first-ferry-p1"]
    found = (run["error"], run["coverage"], run.get("unexplained_errors"))
    assert found == (error, coverage, unexplained)


def numbers(page: str, title: str, row: str) -> list[str]:
    """The cells of a row in the first table of Lab's HTML under this title."""
    table = page[page.index(f'id="{title}"') :]
    line = re.search(rf"<tr[^>]*>\s*<td[^>]*>(?:<[^>]*>)*{row}.*?</tr>", table, re.DOTALL)
    return re.findall(r"<td[^>]*>(?:<[^>]*>)*([\d.]+|\?)", line[0])[-2:]


def test_lab_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absolute = pytest.importorskip("downward.reports.absolute")
    scatter = pytest.importorskip("downward.reports.scatter")
    lama = [replace(SOLVED, key=f"l{n}", id=f"p{n}", expanded=n + 1, cost=n) for n in range(1, 4)]
    enhsp = [replace(run, key=f"e{run.id}", planner=OTHER, cost=5) for run in lama[:2]]
    crash = replace(failed(Outcome.CRASH, reason="signal 11"), id="p3")
    written(tmp_path, *lama, *enhsp, crash)
    folder = str(tmp_path / "exp-eval")

    absolute.AbsoluteReport()(folder, str(tmp_path / "all.html"))
    report = absolute.AbsoluteReport(attributes=["coverage", "cost", "expansions", "error"])
    report(folder, str(tmp_path / "lab.html"))
    page = (tmp_path / "lab.html").read_text()
    # enhsp, then lama-first; costs are over p1 and p2, which both solved.
    assert [numbers(page, each, "ferry") for each in ("coverage", "cost")] == [
        ["2", "3"], ["10", "3"],
    ]  # fmt: skip
    assert "signal" in page  # among the unexplained errors
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"^```python\n(.*?)^```", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    exec(example.replace("runs-eval", "exp-eval"), {})  # noqa: S102 -- our own text
    assert "planner_wall_clock_time" in (tmp_path / "lab.html").read_text()
    scatter.ScatterPlotReport(attributes=["cost"])(folder, str(tmp_path / "cost.png"))
    assert (tmp_path / "cost.png").read_bytes().startswith(b"\x89PNG")
