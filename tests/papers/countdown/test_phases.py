"""Tests of Figures 3 and 4 of the Countdown paper, on tiny inputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.papers.countdown import phases
from pddl_pipeline.papers.study import Workbench, studies

LATE = replace(
    RESULT, outcome=Outcome.TIMEOUT, status=None, plan=None, limits={**RESULT.limits, "hit": "cpu"}
)
FALL, FAR_FALL, RISE = (
    f"RG: valid plans of dfs, {phases}"
    for phases in ("sizes up to 7, then sizes 8 to 10", "sizes up to 7, then sizes 8 to 16",
                   "sizes 8 to 16, then sizes from 17")
)  # fmt: skip
UNCUT = "RG: accuracy of enhsp, sizes 17 to 30"
AT_1800 = {FALL: "agrees", FAR_FALL: "agrees", RISE: "agrees", UNCUT: "not informative",
           "RG: runs of dfs without a plan": "differs"}  # fmt: skip


@pytest.mark.parametrize(
    ("time_s", "verdicts"),
    [
        (1800, AT_1800),
        # The runs of 9 and 16 numbers are cut, those of 20 are not.
        (10, dict.fromkeys(AT_1800, "not compared") | {UNCUT: "not informative"}),
    ],
)
def test_cut_runs_are_not_compared_whatever_the_solver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, time_s: int, verdicts: dict[str, str]
) -> None:
    def solve(_bench: Any, _store: str, instances: Any, planners: Any, _limits: Any) -> list[Any]:
        return [
            replace(LATE if each.size in {9, 16} else RESULT, size=each.size, planner=planner)
            for each in instances
            for planner in planners
        ]

    monkeypatch.setattr(Workbench, "solve", solve)
    bench = Workbench(tmp_path, number=5, sizes_given=[4, 9, 16, 20], time_s=time_s)
    monkeypatch.setattr(phases, "inclusive", lambda _: (4,))
    found = {each.what: each for each in studies()["countdown-figure4"].run(bench).comparisons}
    assert {name: found[name].verdict for name in verdicts} == verdicts
    assert ("5 runs reached 10 s; the paper's limit is 1800 s" in found[FALL].remark) == (
        time_s == 10
    )


@pytest.mark.usefixtures("runs")
def test_figure_4_has_both_datasets(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, number=1, sizes_given=[4], time_s=20, workers=2)
    findings = studies()["countdown-figure4"].run(bench)
    rows = [row[:8] for row in findings.tables[2].table.rows]
    assert {row[0] for row in rows} == {"RG", "SoS"}
    assert {row[1] for row in rows} >= {"enhsp", "dfs", "dfs:numbers=float"}
    # Every solver solves four numbers.
    assert {row[2:] for row in rows} == {("4", "1", "1", "20.7 to 100.0", "1", "20.7 to 100.0")}
    # One instance does not show that every claimed plan is valid.
    verdicts = [(c.verdict, c.decision.needed) for c in findings.comparisons]
    assert verdicts == [("undecided", 59)] * 4
    assert len(findings.charts) == 4
