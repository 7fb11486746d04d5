"""Stored runs: appended whole, read again, one writer, and what a crash leaves."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.stored_runs import (
    PlannedRun,
    StoredRun,
    StoredRuns,
    read_lines,
    read_stored_runs,
    run_planned,
)
from pddl_pipeline.translators.records import from_record

LIMITS = {"time_s": 60.0, "cpu_s": 2.0, "memory_mb": 3584.0, "hit": None, "measured": "rss"}


def stored(name: str, outcome: Outcome = Outcome.PLAN_FOUND, hit: str | None = None) -> StoredRun:
    result = replace(RESULT, id=name, outcome=outcome, limits=LIMITS | {"hit": hit})
    return StoredRun(result, "paper", {"numbers": [1, 2], "target": 3}, "here", {"miss": "1/3"})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "runs" / "x.jsonl.gz"
    with StoredRuns(path) as store:
        for name in "abc":
            store.append(stored(name))
    return path


def names(path: Path) -> list[str]:
    return [run.result.id for run in read_stored_runs(path)]


def test_runs_are_read_as_they_were_stored(file: Path) -> None:
    unlogged = replace(stored("a"), result=replace(stored("a").result, log=""))
    assert read_stored_runs(file, 1) == [unlogged]
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    assert [(line["id"], line["measures"]) for line in lines] == [
        (name, {"miss": "1/3"}) for name in "abc"
    ]
    assert [run.result.id for run in read_stored_runs(file, 2)] == ["a", "b"]


def test_appending_changes_no_earlier_byte(file: Path) -> None:
    before = file.read_bytes()
    with StoredRuns(file) as store:
        assert set(store.known) == {stored(name).identity for name in "abc"}
        store.append(stored("d"))
    assert file.read_bytes().startswith(before)
    assert names(file) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("kept", [1, 11, -1])
def test_a_half_written_last_run_is_ignored_and_then_removed(file: Path, kept: int) -> None:
    whole = file.read_bytes()
    with StoredRuns(file) as store:
        store.append(stored("d"))
    file.write_bytes(whole + file.read_bytes()[len(whole) :][:kept])
    assert names(file) == ["a", "b", "c"]
    with StoredRuns(file) as store:
        store.append(stored("e"))
    assert names(file) == ["a", "b", "c", "e"]


def test_damage_before_the_last_run_is_an_error_and_changes_nothing(file: Path) -> None:
    whole = file.read_bytes()
    content = whole[:40] + bytes([whole[40] ^ 255]) + whole[41:]
    file.write_bytes(content)
    for read in (lambda: read_stored_runs(file), lambda: StoredRuns(file)):
        with pytest.raises(StoreError, match="byte 0: found damaged data before the last run"):
            read()
    assert file.read_bytes() == content


def test_there_is_one_writer_at_a_time(file: Path) -> None:
    with StoredRuns(file):
        with pytest.raises(StoreError, match="another process is writing these runs"):
            StoredRuns(file)
        assert names(file) == ["a", "b", "c"]
    StoredRuns(file).__exit__()


@pytest.mark.parametrize(
    ("outcome", "hit", "attempts"),
    [
        (Outcome.CRASH, None, 2),
        (Outcome.LOST, None, 2),
        (Outcome.TIMEOUT, "time", 2),  # a busy machine, since CPU time is limited
        (Outcome.TIMEOUT, "cpu", 1),
        (Outcome.MEMOUT, "memory", 1),
    ],
)
def test_a_run_that_the_machine_may_have_spoilt_is_repeated_once(
    tmp_path: Path, outcome: Outcome, hit: str | None, attempts: int
) -> None:
    path, run = tmp_path / "x.jsonl.gz", stored("a", outcome, hit)
    with StoredRuns(path) as store:
        store.append(run)
        assert (run.identity in store.known) == (attempts == 1)
        store.append(run)
        assert run.identity in store.known
    assert (len(names(path)), len(read_lines(path))) == (1, 2)


def test_a_planned_run_is_known_by_its_stored_run() -> None:
    record = {"id": "a", "domain": "countdown", "numbers": [1, 2], "target": 3}
    # The wall clock does not count.
    planned = PlannedRun(from_record(record), RESULT.planner, Limits(time_s=99, cpu_s=2))
    assert planned.key == stored("a").identity
    others = ({"planner": "dfs"}, {"encoding": "rational"}, {"limits": Limits(99, cpu_s=3)})
    assert planned.key not in {planned._replace(**other).key for other in others}


def test_planned_runs_are_made_once_in_their_order_and_measured(tmp_path: Path) -> None:
    path, limits = tmp_path / "x.jsonl.gz", Limits(time_s=120, cpu_s=30)
    records = ({"id": n, "domain": "countdown", "numbers": [2, 3], "target": 6} for n in "ba")
    planned = [PlannedRun(from_record(each), "dfs", limits) for each in records]

    def steps(instance: Instance[Any], run: RunResult) -> dict[str, Any]:
        return {"steps": f"{instance.id} {len(run.plan or ())}"}

    for made in (2, 0):
        with StoredRuns(path) as store:
            summaries = list(run_planned(store, planned, steps, "this machine"))
            assert ([each.solved for each in summaries], len(store.added)) == ([True, True], made)
    found = [
        (run.identity, run.measures["steps"], run.machine, run.record)
        for run in read_stored_runs(path)
    ]
    assert found == [
        (each.key, steps, "this machine", {"numbers": [2, 3], "target": 6})
        for each, steps in zip(planned, ("b 2", "a 2"), strict=True)
    ]
    assert not list(tmp_path.glob("*/"))  # no logs
