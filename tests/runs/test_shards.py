"""A folder of shards is read as one store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from store_results import RESULT, write_store

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.planners.planner import Command, Planner
from pddl_pipeline.reporting.report import report
from pddl_pipeline.runs.jobs import problem_hash, run_key
from pddl_pipeline.runs.store import store_folders


def named(name: str, started: str = "2026") -> RunResult:
    return replace(RESULT, id=name, key=f"{name} {started}", started=started)


def test_all_shards_are_read_in_order(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        write_store(tmp_path / f"shard-{number}-of-10", named(f"i{number}"))
    (tmp_path / "shard-2-of-10").mkdir()  # not begun
    write_store(tmp_path / "shard-1-of-10-old", named("no-shard"))
    write_store(tmp_path / "logs", named("no-shard"))
    folders = [folder.name for folder in store_folders(tmp_path)]
    assert folders == ["shard-1-of-10", "shard-9-of-10", "shard-10-of-10"]
    assert [result.id for result in report(tmp_path).runs] == ["i1", "i10", "i9"]


def test_a_folder_may_hold_runs_and_shards(tmp_path: Path) -> None:
    write_store(tmp_path / "runs", named("a", "2026-01"), named("b", "2026-03"))
    write_store(tmp_path / "runs" / "shard-1-of-1", named("a", "2026-02"), named("b", "2026-01"))
    runs = report(tmp_path / "runs").runs
    assert [run.key for run in runs] == ["a 2026-02", "b 2026-03"]
    assert report(tmp_path / "runs", tmp_path / "runs" / "shard-1-of-1").runs == runs


def test_keys_are_the_same_in_each_version() -> None:
    """Other keys would repeat all runs of stores, and no plan of them could be judged again."""
    command = Command(lambda: ("true",), configuration="fast")
    planner = Planner("mine", "", "", command, version="2.1")
    instance = Instance("a-1", "ferry", 3, None, budget=7)
    problem = Problem("(domain)", "(problem)", 7)
    limits = Limits(time_s=60.0, memory_bytes=1000)
    keys = [run_key(instance, problem, planner, limits, number) for number in (1, 2)]
    assert [*keys, problem_hash(problem)] == [
        "6b5b070e16dbf8acc3c53961875b448e",
        "02f727eb65dd3079df73159146ff0a3b",
        "960db044f3f59c894164c11d95478aaa",
    ]
