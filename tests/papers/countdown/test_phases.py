"""Tests of Figures 3 and 4 of the Countdown paper, on tiny inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pddl_pipeline.papers.study import Workbench, studies


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
