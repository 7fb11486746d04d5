"""No command overwrites its input, or writes two results to one file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

FERRY = domain_folder("ferry")
READ = "is an input and would be overwritten"
TWICE = "is the file of two outputs and would be written twice"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    """Return the content of the files; two of them are links to the data."""
    shutil.copy(FERRY / "examples.jsonl", tmp_path / "d.jsonl")
    shutil.copy(FERRY / "solved.jsonl", tmp_path / "e.jsonl")
    shutil.copy(FERRY / "domain.pddl", tmp_path / "domain.pddl")
    shutil.copy(FERRY / "p01.pddl", tmp_path / "p01.pddl")
    (tmp_path / "a.jsonl").write_text('{"id": "ferry-2-0", "answer": ""}\n')
    (tmp_path / "link").symlink_to("d.jsonl")
    (tmp_path / "hard").hardlink_to(tmp_path / "d.jsonl")
    return contents(tmp_path)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("prompt d.jsonl -o d.jsonl", READ),
        ("prompt d.jsonl -o ./link", READ),
        ("prompt d.jsonl -o hard", READ),
        ("prompt link -o d.jsonl", READ),
        ("prompt d.jsonl --examples e.jsonl -o e.jsonl", READ),
        ("prompt p01.pddl --domain domain.pddl -o domain.pddl", READ),
        ("score d.jsonl a.jsonl -o a.jsonl", READ),
        ("score d.jsonl a.jsonl -o d.jsonl", READ),
        ("score d.jsonl a.jsonl --table d.jsonl", READ),
        ("score e.jsonl d.jsonl a.jsonl --table link", READ),
        ("score d.jsonl a.jsonl -o new --table ./new", TWICE),
        ("questions d.jsonl -o d.jsonl", READ),
        ("questions d.jsonl --answer -o d.jsonl", READ),
        ("questions e.jsonl --score d.jsonl -o d.jsonl", READ),
        ("questions d.jsonl --score a.jsonl -o link", READ),
    ],
)
def test_what_is_read_is_not_written(
    cli: Cli, tmp_path: Path, files: dict[str, bytes], command: str, message: str
) -> None:
    done = cli(*command.split())
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert contents(tmp_path) == files


def test_a_place_that_keeps_nothing_may_be_given_twice(
    cli: Cli, files: dict[str, bytes], tmp_path: Path
) -> None:
    done = cli("score", "d.jsonl", "a.jsonl", "-o", "/dev/null", "--table", "/dev/null")
    assert (done.status, done.err) == (1, "")
    assert contents(tmp_path) == files
