"""Damaged lines of a store stop a command; without them, their runs are repeated."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from store_results import RESULT, read_store

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.jobs import Finished
from pddl_pipeline.runs.store import DamagedLine, RunStore, iterate_store

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
    damage(store, {1: line})
    before = store.read_bytes()
    done = cli_here("report", "r", cwd=tmp_path)
    assert (done.status, done.err.count("damaged")) == (3, 1)
    assert "warning: r/runs.jsonl:2: the line" in done.err
    assert "Incomplete: 4 of 5 runs" in done.out
    assert store.read_bytes() == before
    done = cli_here(*RUN, cwd=tmp_path)
    assert (done.status, done.err.count("damaged")) == (3, 1)
    assert "4 of 5 runs were already in the store" in done.err
    assert (store.parent / "runs.damaged-1.jsonl").read_bytes() == line
    assert sorted(result.key for result in read_store(store.parent)) == keys
    assert cli_here("report", "r", cwd=tmp_path).status == 0


def test_no_flipped_bit_changes_a_value(tmp_path: Path) -> None:
    """A bit of the checksum's own field may change, since the values are those that were stored."""
    with RunStore(tmp_path) as store:
        for key in ("k1", "k2"):
            store.add(Finished(replace(RESULT, key=key), {}))
    file = tmp_path / "runs.jsonl"
    content = file.read_bytes()
    stored = read_store(tmp_path)
    random = Random(0)
    for _ in range(400):
        place = random.randrange(content.index(b"\n"))
        flipped = bytearray(content)
        flipped[place] ^= 1 << random.randrange(8)
        file.write_bytes(flipped)
        damaged = list[str]()
        assert all(result in stored for result in iterate_store(tmp_path, damaged)), place
        assert len(damaged) <= 2


def test_an_edited_line_is_read_without_its_checksum(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        store.add(Finished(RESULT, {}))
    file = tmp_path / "runs.jsonl"
    edited = file.read_text().replace(f'"id": "{RESULT.id}"', '"id": "mine"')
    file.write_text(edited)
    with pytest.raises(DamagedLine, match=f"the key {RESULT.key} is damaged.*remove that field"):
        read_store(tmp_path)
    file.write_text(re.sub(', "crc32": "[^"]*"', "", edited))
    assert [result.id for result in read_store(tmp_path)] == ["mine"]
