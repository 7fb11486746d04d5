"""Tests of Figures 3 and 4 of the Countdown paper, on tiny inputs."""

from __future__ import annotations

from pathlib import Path

from pddl_pipeline.papers.study import StudyResult, Workbench, studies


def found(name: str, folder: Path, size: int) -> StudyResult:
    bench = Workbench(folder, number=1, sizes_given=range(size, size + 1), time_s=20, workers=2)
    return studies()[name].run(bench)


def test_figure_4_has_both_datasets(tmp_path: Path) -> None:
    findings = found("countdown-figure4", tmp_path, 4)
    rows = [row[:8] for row in findings.tables[2].table.rows]
    assert {row[0] for row in rows} == {"RG", "SoS"}
    assert {row[1] for row in rows} >= {"enhsp", "dfs", "dfs:numbers=float"}
    for row in rows:
        # Every solver solves four numbers.
        assert row[2:] == ("4", "1", "1", "20.7 to 100.0", "1", "20.7 to 100.0")
    # One instance does not show that every claimed plan is valid.
    verdicts = [(c.verdict, c.decision.needed) for c in findings.comparisons]
    assert verdicts == [("undecided", 59)] * 4
    assert len(findings.charts) == 4
