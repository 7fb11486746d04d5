"""Tests of Table 8 of SimPlan: sets of the paper's sizes, means of the plans' lengths."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pddl_pipeline.generators.depots import DepotsSettings
from pddl_pipeline.runs.store import iterate_store
from pddl_pipeline.studies.registry import studies
from pddl_pipeline.studies.simplan import depots as simplan_depots
from pddl_pipeline.studies.simplan import lengths as simplan_lengths
from pddl_pipeline.studies.simplan.plan_lengths import Lengths, compared
from pddl_pipeline.studies.simplan.test_sets import TEST_SETS
from pddl_pipeline.studies.workbench import Workbench

SPREAD = Lengths(4, (8, 10, 10, 12), (1.0,) * 4)
"""Lengths with mean 10 and deviation 1.633."""


@pytest.mark.parametrize(
    ("mean", "number", "result"),
    # 1.96 * 1.633 * sqrt(1/4 + 1/4) = 2.26, and 1.60 for a very large other sample.
    [
        (12.2, 4, "matched"), (12.3, 4, "differs"), (7.8, 4, "matched"), (7.7, 4, "differs"),
        (11.7, 10**9, "differs"),
    ],
)  # fmt: skip
def test_means_agree_as_far_as_samples_do(mean: float, number: int, result: str) -> None:
    assert compared([SPREAD], mean, number) == result


def test_a_mean_over_domains_is_more_precise_than_each() -> None:
    assert compared([SPREAD], 12.2, 4) == "matched"
    assert compared([SPREAD] * 4, 12.2, 4) == "differs"  # 2.26 / 2


def test_of_one_plan_nothing_is_known() -> None:
    one = Lengths(2, (10,), (1.0, 60.0))
    assert compared([one, SPREAD], 10, 30) == "not compared"
    assert one.interval is None
    assert one.cells[0] == "1/2"
    assert Lengths(1, (), (60.0,)).text == "-"


def test_test_sets_have_the_sizes_of_the_paper(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, scale="paper")
    for each in TEST_SETS:
        instances = each.instances(bench, quick=1)
        least, most = map(int, each.objects.split("-"))
        assert len(instances) == (30 if each.configuration == "simple" else 50)
        assert len({instance.id for instance in instances}) == len(instances)
        assert {instance.size for instance in instances} <= set(range(least, most + 1))


def test_fewer_instances_are_taken_evenly(tmp_path: Path) -> None:
    found = Workbench(tmp_path).preset("ferry", "complex", "test", 5)
    assert [instance.size for instance in found] == [12, 14, 17, 21, 24]
    everything = Workbench(tmp_path).preset("ferry", "complex", "test", 1000)
    assert Counter(instance.size for instance in everything)[11] == 4
    assert len(everything) == 50


def test_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplan_lengths, "TEST_SETS", TEST_SETS[2:4])  # ferry
    findings = studies()["simplan-table8"].run(Workbench(tmp_path, number=2, time_s=20))
    (named,) = findings.tables
    for row, which in zip(named.table.rows, ("ferry-simple", "ferry-complex"), strict=True):
        plans = [run.plan for run in iterate_store(tmp_path / "runs" / which)]
        assert float(row[4]) == sum(len(plan or ()) for plan in plans) / 2
        assert row[5] == "2/2"
    *_, simple, complex_ = findings.comparisons
    assert "Table 8 contradicts it" in complex_.why
    assert complex_.result == "differs"
    assert simple.paper == "13.5"


def test_settings_of_depots_are_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = DepotsSettings(1, 0, 1, 3, 1)
    monkeypatch.setattr(simplan_depots, "_SETS", TEST_SETS[6:7])  # simple
    monkeypatch.setattr(simplan_depots, "_TRIED", (small,))
    monkeypatch.setattr(simplan_depots, "COMPLEX", "simple")
    findings = studies()["simplan-table8-depots"].run(Workbench(tmp_path, number=2, time_s=20))
    rows = findings.tables[0].table.rows
    assert [row[0] for row in rows] == ["1 0 1 3 1"]
    steps = [run.steps or 0 for run in iterate_store(tmp_path / "runs" / "simple-1-0-1-3-1")]
    assert float(rows[0][2]) == sum(steps) / 2
    drives = [
        [step for step in run.plan or () if step.lower().startswith("(drive")]
        for run in iterate_store(tmp_path / "runs" / "simple-1-0-1-3-1")
    ]
    assert not any(drives)  # there is one place
