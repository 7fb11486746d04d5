"""Tests of Figure 2 of the Countdown paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from countdown_by_hand import all_counts

from pddl_pipeline.studies.countdown.datasets import made
from pddl_pipeline.studies.registry import studies
from pddl_pipeline.studies.study_result import StudyResult
from pddl_pipeline.studies.workbench import Workbench


def found(folder: Path, sizes: range, number: int) -> StudyResult:
    bench = Workbench(folder, number=number, sizes_given=sizes)
    return studies()["countdown-figure2"].run(bench)


def test_counts_are_those_of_brute_force(tmp_path: Path) -> None:
    findings = found(tmp_path, range(4, 5), 1)
    counts = {row[0]: int(row[5]) for row in findings.tables[0].table.rows}
    bench = Workbench(tmp_path)
    for dataset in ("CD", "RG", "SoS"):
        (instance,) = made(bench, dataset, 4, 1)
        assert counts[dataset] == all_counts(list(instance.record.numbers))[instance.record.target]
    assert set(counts) == {"CD", "RG", "SoS", "CD, targets as RG", "24 game"}


@pytest.mark.parametrize(("number", "result"), [(12, "matched"), (1, "differs")])
def test_one_instance_is_no_evidence(tmp_path: Path, number: int, result: str) -> None:
    comparisons = found(tmp_path, range(5, 6), number).comparisons
    assert {c.what: c.result for c in comparisons} == {
        "solutions of CD and of RG, medians": result,
        "solutions of CD and of SoS, medians": result,
    }


def test_series_stand_beside_each_other(tmp_path: Path) -> None:
    (chart,) = found(tmp_path, range(4, 6), 2).charts
    at_four = [point.x for series in chart.series for point in series.points if point.x < 4.5]
    assert len(set(at_four)) == len(at_four) == 5
    assert chart.logarithmic
