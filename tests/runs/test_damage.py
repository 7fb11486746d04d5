"""Damaged lines of a store stop a command; without them, their runs are repeated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from store_results import read_store

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

FERRY = domain_folder("ferry") / "examples.jsonl"
RUN = ("run", FERRY, "--planner", "t=cmd:true", "-o", "r")
DAMAGE = (b"garbage\n", b"\xff\x00\xfe\n", b"{}\n", b"[" * 5000 + b"\n", b"\n", b'{"key": "k\n')


def damage(file: Path, lines: dict[int, bytes]) -> list[bytes]:
    """Replace lines of a file by their index; return the other lines."""
    old = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines.get(index, line) for index, line in enumerate(old)))
    return [line for index, line in enumerate(old) if index not in lines]


@pytest.mark.parametrize("line", DAMAGE)
def test_a_damaged_line_is_named_and_its_run_is_repeated(
    cli_here: CliHere, tmp_path: Path, line: bytes
) -> None:
    assert cli_here(*RUN, cwd=tmp_path).status == 0
    store = tmp_path / "r" / "runs.jsonl"
    keys = sorted(result.key for result in read_store(store.parent))
    kept = damage(store, {1: line})
    before = store.read_bytes()
    for command in (RUN, ("report", "r")):
        done = cli_here(*command, cwd=tmp_path)
        assert (done.status, done.out) == (2, "")
        assert "error: r/runs.jsonl:2: is not a line of a run store" in done.err
        assert "delete it, and `run` repeats its run" in done.err
        assert done.err.count("\n") == 1
        assert store.read_bytes() == before
    store.write_bytes(b"".join(kept))
    done = cli_here(*RUN, cwd=tmp_path)
    assert "4 of 5 runs were already in the store" in done.err
    assert sorted(result.key for result in read_store(store.parent)) == keys
