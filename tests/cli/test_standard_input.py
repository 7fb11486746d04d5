"""Every command that reads a dataset takes ``-``, standard input."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.datasets import load_records

if TYPE_CHECKING:
    from command_line import CliHere

Pipe = Callable[[str | bytes], None]
CSV = "id,numbers,target\na,1 2 3 4,24\nb,2 3 4 6,24\n"
RECORD = json.dumps({"id": "a", "domain": "countdown", "numbers": [1, 2, 3, 4], "target": 24})
PLAN = "(multiply n1 n2)\n(multiply n1 n3)\n(multiply n1 n4)\n(checkgoal n1)"
DOMAIN = domain_folder("ferry") / "domain.pddl"
PROBLEM = (domain_folder("ferry") / "p01.pddl").read_bytes()


def parquet() -> bytes:
    stream = io.BytesIO()
    pd.DataFrame({"id": ["a"], "nums": [[1, 2, 3, 4]], "goal": [24]}).to_parquet(stream)
    return stream.getvalue()


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Pipe:
    """Return a function that sets the content of standard input."""

    def put(content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


@pytest.mark.parametrize(
    "arguments",
    [
        ("translate", "-", "-o", "out"),
        ("run", "-", "--planner", "countdown-exact", "-o", "out"),
        ("prompt", "-", "-o", "out"),
        ("questions", "-", "--kind", "state", "-o", "out"),
        ("score", "-", "answers.jsonl", "-o", "out"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_reads_it(
    arguments: tuple[str, ...], tmp_path: Path, cli_here: CliHere, pipe: Pipe
) -> None:
    answers = (json.dumps({"id": name, "answer": PLAN}) for name in ("a", "a"))
    (tmp_path / "answers.jsonl").write_text("\n".join(answers))
    pipe(CSV)
    done = cli_here(*arguments, cwd=tmp_path)
    assert done.status == 0, done.err
    assert "-: read as table" in done.err
    assert (tmp_path / "out").exists()


def test_questions_are_read_from_it(tmp_path: Path, cli_here: CliHere, pipe: Pipe) -> None:
    pipe(RECORD)
    asked = ("questions", "-", "--kind", "state", "-o", "q.jsonl")
    assert cli_here(*asked, cwd=tmp_path).status == 0
    pipe((tmp_path / "q.jsonl").read_text())
    assert cli_here("questions", "-", "--answer", "-o", "a.jsonl", cwd=tmp_path).status == 0
    pipe((tmp_path / "q.jsonl").read_text())
    done = cli_here("questions", "-", "--score", "a.jsonl", "--json", cwd=tmp_path)
    assert (done.status, json.loads(done.out.splitlines()[0])["accuracy"]) == (0, 1)


CONTENTS: dict[str, tuple[str | bytes, tuple[str, ...], str, str]] = {
    "CSV": (CSV, (), "table", "a"),
    "CSV with semicolons": (CSV.replace(",", ";"), (), "table", "a"),
    "packed CSV": (gzip.compress(CSV.encode()), (), "table", "a"),
    "records": (RECORD, (), "records", "a"),
    "list of records": (f"\ufeff [{RECORD}]", (), "records", "a"),
    "JSON": ('{"target": 24, "nums": [1, 2, 3, 4]}', (), "table", "stdin-0"),
    "named format": (
        '{"target": 24, "nums": [1, 2, 3, 4]}', ("--format", "target-nums"), "", "stdin-0",
    ),
    "24 game": ("Rank,Puzzles\n7,1 2 3 4\n", (), "24game", "24game-7"),
    "Parquet": (parquet(), (), "table", "a"),
    "PDDL": (PROBLEM, ("--domain", str(DOMAIN)), "pddl", "stdin"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "options", "form", "first"), CONTENTS.values(), ids=list(CONTENTS)
)
def test_the_content_decides_the_format(
    content: str | bytes,
    options: tuple[str, ...],
    form: str,
    first: str,
    tmp_path: Path,
    cli_here: CliHere,
    pipe: Pipe,
) -> None:
    pipe(content)
    done = cli_here("prompt", "-", *options, cwd=tmp_path)
    assert done.status == 0, done.err
    # The project's own format is not printed.
    assert (f"-: read as {form}\n" in done.err) == (form not in {"", "records"})
    assert json.loads(done.out.splitlines()[0])["id"] == first


FAULTS: dict[str, tuple[str | bytes, tuple[str, ...], str]] = {
    "a cell": (f"{CSV}c,1 x,2\n", ("-",), "-:4: field 'numbers': found 'x' in '1 x'"),
    "a line": (f"{RECORD}\nnonsense\n", ("-",), "-:2:1: expected a JSON value"),
    "a list": (f"[{RECORD}", ("-",), "-: found 'the end', expected ',' or ']'"),
    "nothing": ("", ("-",), "-: the file contains no record"),
    "no PDDL": ("(define (problem", ("-",), "-: is neither a PDDL domain nor a PDDL problem"),
    "twice": (CSV, ("-", "-"), "'DATA...' and 'DATA...': only one of them can be standard input"),
    "no gzip": (b"\x1f\x8bnonsense", ("-",), "-: "),
}


@pytest.mark.parametrize(("content", "data", "message"), FAULTS.values(), ids=list(FAULTS))
def test_faults_name_it(
    content: str | bytes,
    data: tuple[str, ...],
    message: str,
    tmp_path: Path,
    cli_here: CliHere,
    pipe: Pipe,
) -> None:
    pipe(content)
    done = cli_here("translate", *data, "-o", "out", cwd=tmp_path)
    assert done.status == 2
    assert done.err.splitlines()[-1].startswith(f"error: {message}")
    assert list(tmp_path.iterdir()) == []


def test_skipped_rows_name_it(tmp_path: Path, cli_here: CliHere, pipe: Pipe) -> None:
    pipe(f"{CSV}c,1\n")
    done = cli_here("prompt", "-", "--skip-bad", cwd=tmp_path)
    assert (done.status, "skipped: -:4: found 2 columns, expected 3" in done.err) == (0, True)


def test_it_is_read_only_once(pipe: Pipe) -> None:
    pipe(CSV)
    assert [each.id for each in load_records("-")] == ["a", "b"]
    with pytest.raises(InputError, match=r"^-: standard input can be read only once$"):
        next(load_records("-"))
    with pytest.raises(InputError, match=r"^-: standard input can be read only once$"):
        read_file("-")
