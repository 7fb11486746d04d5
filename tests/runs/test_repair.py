"""`run --repair`: damaged lines are moved and their runs repeated; nothing else is lost."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from store_results import RESULT

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.jobs import Finished
from pddl_pipeline.runs.store import RunStore, read_store

if TYPE_CHECKING:
    from conftest import CliHere

FERRY = domain_folder("ferry") / "examples.jsonl"
RUN = ("run", FERRY, "--planner", "t=cmd:true", "-o", "r")
DAMAGE = (b"garbage\n", b"\xff\x00\xfe\n", b"{}\n", b"[" * 5000 + b"\n", b"\n", b'{"key": "k\n')


def damage(file: Path, lines: dict[int, bytes]) -> list[bytes]:
    """Replace lines of a file by their index; return the other lines."""
    old = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines.get(index, line) for index, line in enumerate(old)))
    return [line for index, line in enumerate(old) if index not in lines]


def test_damaged_lines_are_moved_and_run_again(cli_here: CliHere, tmp_path: Path) -> None:
    assert cli_here(*RUN, cwd=tmp_path).status == 0
    store = tmp_path / "r" / "runs.jsonl"
    keys = sorted(result.key for result in read_store(store.parent))
    kept = damage(store, {1: DAMAGE[0], 3: DAMAGE[1]})
    before = store.read_bytes()
    for command in (RUN, ("report", "r")):
        done = cli_here(*command, cwd=tmp_path)
        assert (done.status, done.out) == (2, "")
        assert "error: r/runs.jsonl:2: is not a line of a run store" in done.err
        assert "`run --repair` moves damaged lines" in done.err
        assert done.err.count("\n") == 1
        assert store.read_bytes() == before
    done = cli_here(*RUN, "--repair", cwd=tmp_path)
    assert done.status == 0
    assert "r: moved 2 damaged lines to r/runs.damaged-1.jsonl\n" in done.err
    assert "3 of 5 runs were already in the store" in done.err
    assert (store.parent / "runs.damaged-1.jsonl").read_bytes() == DAMAGE[0] + DAMAGE[1]
    assert store.read_bytes().splitlines(keepends=True)[:3] == kept
    assert sorted(result.key for result in read_store(store.parent)) == keys
    again = cli_here(*RUN, "--repair", cwd=tmp_path)
    assert "5 of 5 runs were already in the store" in again.err
    assert "moved" not in again.err


def test_repairs_overwrite_nothing(tmp_path: Path) -> None:
    write_store(tmp_path, 6)
    for number, line in enumerate((DAMAGE[0], DAMAGE[0], DAMAGE[2]), start=1):
        damage(tmp_path / "runs.jsonl", {0: line})
        with RunStore(tmp_path, repair=True) as store:
            assert store.moved == [(1, tmp_path / f"runs.damaged-{number}.jsonl")]
            assert len(store.known) == 6 - number
    moved = [file.read_bytes() for file in sorted(tmp_path.glob("runs.damaged-*.jsonl"))]
    assert moved == [DAMAGE[0], DAMAGE[0], DAMAGE[2]]


def test_every_kind_of_damage_is_moved_byte_for_byte(tmp_path: Path) -> None:
    write_store(tmp_path, 12)
    kept = damage(tmp_path / "runs.jsonl", dict(zip(range(0, 12, 2), DAMAGE, strict=True)))
    with (tmp_path / "runs.jsonl").open("ab") as stream:
        stream.write(b'{"key": "torn')
    with RunStore(tmp_path, repair=True) as store:
        assert (store.torn_lines, len(store.known)) == (1, 6)
    assert (tmp_path / "runs.damaged-1.jsonl").read_bytes() == b"".join(DAMAGE)
    assert (tmp_path / "runs.jsonl").read_bytes() == b"".join(kept)


@pytest.mark.parametrize("name", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("call", [1, 2])
def test_a_repair_that_is_killed_loses_nothing(tmp_path: Path, name: str, call: int) -> None:
    write_store(tmp_path, 4)
    kept = damage(tmp_path / "runs.jsonl", {2: DAMAGE[0]})
    child = os.fork()
    if child == 0:
        die_at(name, call, tmp_path)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    found = b"".join(file.read_bytes() for file in tmp_path.glob("runs*.jsonl"))
    assert all(line in found for line in (*kept, DAMAGE[0]))
    with RunStore(tmp_path, repair=True) as store:
        assert sorted(store.known) == ["k0", "k1", "k3"]
    assert (tmp_path / "runs.jsonl").read_bytes() == b"".join(kept)
    for moved in tmp_path.glob("runs.damaged-*.jsonl"):
        assert moved.read_bytes() == DAMAGE[0]
    assert not [file.name for file in tmp_path.glob(".runs*")]


def die_at(name: str, call: int, folder: Path) -> None:
    """End this process during a repair, before a call of a function of `os`."""
    calls = 0
    function = getattr(os, name)

    def counted(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            os._exit(9)
        return function(*arguments, **options)

    try:
        setattr(os, name, counted)
        RunStore(folder, repair=True)
    finally:
        os._exit(0)


def write_store(folder: Path, runs: int) -> None:
    with RunStore(folder) as store:
        for number in range(runs):
            store.add(Finished(replace(RESULT, key=f"k{number}"), {}))
