"""Tests of Figures 3 and 4 of the Countdown paper and the study of exactness, on tiny inputs."""

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


def test_exactness_by_solver(tmp_path: Path) -> None:
    findings = found("countdown-exactness", tmp_path, 4)
    by_size = findings.tables[3].table
    assert {row[1] for row in by_size.rows} >= {
        "ENHSP", "lazy ENHSP, rational", "DFS, exact", "DFS, exact, no zeros", "DFS, floats",
    }  # fmt: skip
    solved = {row[1]: row[6] for row in by_size.rows}
    assert solved["ENHSP"] == solved["DFS, exact"] == "1"
    assert not findings.tables[1].table.rows
    rises = [c for c in findings.comparisons if c.said.startswith("hard to easy")]
    assert {c.verdict for c in rises} == {"not compared"}
    correct = [c for c in findings.comparisons if c.said.startswith("guaranteed")]
    results = {c.ours[0].of: c.verdict for c in correct}
    assert results == {0: "not compared", 1: "undecided"}
