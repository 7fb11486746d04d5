"""Tests of Figure 2 of the Countdown paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from countdown_by_hand import all_counts

from pddl_pipeline.papers.countdown.datasets import instances_of
from pddl_pipeline.papers.study import StudyResult, Workbench, studies


def found(folder: Path, sizes: range, number: int) -> StudyResult:
    bench = Workbench(folder, number=number, sizes_given=sizes)
    return studies()["countdown-figure2"].run(bench)


def test_counts_are_those_of_brute_force(tmp_path: Path) -> None:
    findings = found(tmp_path, range(4, 5), 1)
    counts = {row[0]: int(row[5]) for row in findings.tables[0].table.rows}
    bench = Workbench(tmp_path)
    for dataset in ("CD", "RG", "SoS"):
        (instance,) = instances_of(bench, dataset, [4], 1)
        assert counts[dataset] == all_counts(list(instance.record.numbers))[instance.record.target]
    assert set(counts) == {"CD", "RG", "SoS", "CD, targets as RG", "24 game"}


@pytest.mark.parametrize(("number", "result"), [(12, "agrees"), (1, "undecided")])
def test_one_instance_is_no_evidence(tmp_path: Path, number: int, result: str) -> None:
    comparisons = found(tmp_path, range(4, 5), number).comparisons[:2]
    assert [tuple(each.label for each in c.ours) for c in comparisons] == [
        ("CD", "RG"),
        ("CD", "SoS"),
    ]
    assert {(c.decision.test, c.verdict) for c in comparisons} == {("rank sum test", result)}
    assert {c.decision.n for c in comparisons} == {(number, number)}
    assert all((c.decision.p or 0) > 0 for c in comparisons)


def test_each_size_is_compared_and_series_stand_beside_each_other(tmp_path: Path) -> None:
    findings = found(tmp_path, range(4, 6), 1)
    medians = {(row[0], row[1]): float(row[5]) for row in findings.tables[0].table.rows}
    pairs = [("RG", "4"), ("RG", "5"), ("SoS", "4"), ("SoS", "5"), ("24 game", "4")]
    assert [(c.ours[0].value, c.ours[1].value) for c in findings.comparisons] == [
        (medians["CD", size], medians[dataset, size]) for dataset, size in pairs
    ]
    (chart,) = findings.charts
    at_four = [point.x for series in chart.series for point in series.points if point.x < 4.5]
    assert len(set(at_four)) == len(at_four) == 5
    assert chart.logarithmic
