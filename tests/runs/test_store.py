"""The run store: nothing lost, nothing duplicated, one writer."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from queued_jobs import jobs_for
from store_results import RESULT, read_store

from pddl_pipeline import load_records
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import EngineError, InputError, StoreError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import normal
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


@pytest.mark.parametrize("kept", [0, 1])
@pytest.mark.parametrize(
    "torn",
    [
        lambda line: line[:-1], lambda line: line[:-20], lambda line: line[:-200],
        lambda _: b"x", lambda _: b"x" * 200_000,  # longer than any block
    ],
)  # fmt: skip
def test_torn_last_line_is_cut_and_counted(
    tmp_path: Path, torn: Callable[[bytes], bytes], kept: int
) -> None:
    with RunStore(tmp_path) as store:
        store.add(Finished(RESULT, {}))
        store.add(Finished(replace(RESULT, key="k1"), {}))
    file = tmp_path / "runs.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:kept]) + torn(lines[kept]))
    assert [result.key for result in read_store(tmp_path)] == ["k0"][:kept]
    with RunStore(tmp_path) as store:
        assert (store.torn_lines, len(store.known)) == (1, kept)
        store.add(Finished(replace(RESULT, key="k2"), {}))
    assert [result.key for result in read_store(tmp_path)] == [*["k0"][:kept], "k2"]


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
