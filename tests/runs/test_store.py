"""The run store: nothing lost, nothing duplicated, one writer."""

from __future__ import annotations

import errno
import fcntl
import os
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from queued_jobs import jobs_for
from store_results import RESULT, read_store

from pddl_pipeline import load_records
from pddl_pipeline.model.attempt import Outcome, Statistics
from pddl_pipeline.model.errors import EngineError, InputError, StoreError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import normal
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs import running
from pddl_pipeline.runs.jobs import Finished
from pddl_pipeline.runs.store import RunStore, result_from_json, result_to_json

FERRY = domain_folder("ferry") / "examples.jsonl"


def test_what_was_added_is_read_back_once(tmp_path: Path) -> None:
    replaced = replace(RESULT, key="k1", cost=Fraction(7, 3), outcome=Outcome.CRASH)
    with RunStore(tmp_path / "runs") as store:
        for result in (RESULT, RESULT, replaced):
            store.add(Finished(result, {}))
    with RunStore(tmp_path / "runs") as store:
        assert store.known == {"k0": RESULT.summary, "k1": replaced.summary}
        assert store.torn_lines == 0
    assert read_store(tmp_path / "runs") == [RESULT, replaced]


@given(st.fractions(), st.text(), st.sampled_from(Outcome), st.none() | st.sampled_from(Status))
def test_json_gives_the_result_back(
    cost: Fraction, reason: str, outcome: Outcome, status: Status | None
) -> None:
    cost_or_whole = normal(cost)
    result = replace(RESULT, cost=cost_or_whole, reason=reason, outcome=outcome, status=status)
    assert result_from_json(result_to_json(result)) == result


def test_a_new_field_of_results_is_filled_and_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the class of results names a field; its value comes from the run's part of that name."""

    @dataclass(frozen=True, slots=True)
    class Wider(RunResult):
        measured: str | None = None  # of the attempt
        budget: int | None = None  # of the instance
        failed_step: int | None = None  # of the verdict

    monkeypatch.setattr(running, "RunResult", Wider)
    instance = replace(next(load_records(FERRY)), budget=99)
    (job,) = jobs_for([instance], ["lama-first"], Limits(time_s=60))
    result = running.execute(job).result
    assert isinstance(result, Wider)
    assert (result.measured, result.budget) == (result.limits["measured"], 99)
    assert result_to_json(result).keys() > {"measured", "budget", "failed_step"}


def test_a_result_has_every_statistic() -> None:
    assert {each.name for each in fields(Statistics)} < {each.name for each in fields(RunResult)}


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_torn_last_line_is_cut_and_counted(tmp_path: Path, cut: int) -> None:
    with RunStore(tmp_path) as store:
        store.add(Finished(RESULT, {}))
        store.add(Finished(replace(RESULT, key="k1"), {}))
    file = tmp_path / "runs.jsonl"
    file.write_bytes(file.read_bytes()[:-cut])
    assert [result.key for result in read_store(tmp_path)] == ["k0"]
    with RunStore(tmp_path) as store:
        assert store.torn_lines == 1
        store.add(Finished(replace(RESULT, key="k2"), {}))
    assert [result.key for result in read_store(tmp_path)] == ["k0", "k2"]


def test_one_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The folder looks foreign while another process creates the store.
    monkeypatch.setattr(
        "pddl_pipeline.runs.store._foreign",
        lambda folder: (folder / "runs.jsonl").write_text("") or "runs.jsonl",
    )
    with (
        RunStore(tmp_path),
        pytest.raises(StoreError, match="another process is writing to this run store"),
    ):
        RunStore(tmp_path)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS])
def test_a_file_system_without_locks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def flock(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(StoreError, match="choose a folder on a local disk"):
        RunStore(tmp_path / "store")
    (job,) = jobs_for([next(load_records(FERRY))], ["lama-first"], Limits(time_s=60))
    with pytest.raises(EngineError, match=r"cannot be locked: .*; set TMPDIR"):
        running.execute(job)


def test_folder_with_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(StoreError, match=r"holds 'thesis\.tex' but no runs\.jsonl"):
        RunStore(tmp_path)
    with pytest.raises(InputError, match="is not a run store"):
        read_store(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_line_that_does_not_fit_leaves_the_store_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An almost full disk accepts a part of a line without an error."""
    with RunStore(tmp_path) as store:
        store.add(Finished(RESULT, {}))
        before = (tmp_path / "runs.jsonl").read_bytes()
        whole = store._stream
        torn = SimpleNamespace(
            fileno=whole.fileno, write=lambda line: whole.write(line[:20]), close=whole.close
        )
        monkeypatch.setattr(store, "_stream", torn)
        with pytest.raises(StoreError, match=r"runs\.jsonl: cannot be written: No space left"):
            store.add(Finished(replace(RESULT, key="k1"), {}))
        monkeypatch.setattr(store, "_stream", whole)
        assert (tmp_path / "runs.jsonl").read_bytes() == before
        store.add(Finished(replace(RESULT, key="k2"), {}))
    assert [result.key for result in read_store(tmp_path)] == ["k0", "k2"]


def test_a_torn_line_longer_than_any_block_is_cut(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        store.add(Finished(RESULT, {}))
    file = tmp_path / "runs.jsonl"
    whole = file.read_bytes()
    for torn in (b"x" * 200_000, b"x"):
        file.write_bytes(whole + torn)
        with RunStore(tmp_path) as store:
            assert (store.torn_lines, len(store.known)) == (1, 1)
        assert file.read_bytes() == whole
    file.write_bytes(b"x" * 200_000)
    with RunStore(tmp_path) as store:
        assert (store.torn_lines, len(store.known)) == (1, 0)
