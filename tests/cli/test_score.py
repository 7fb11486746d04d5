"""``pddl-pipeline score``: its output and files, exit statuses, and files with many faults."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pddl_pipeline import load_records
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

BLOCKS = domain_folder("blocksworld")
DATA = BLOCKS / "examples.jsonl"
RIGHT = (BLOCKS / "p01.plan").read_text()
IDS = [instance.id for instance in load_records(DATA)]
GOOD = {"id": IDS[0], "answer": RIGHT, "model": "m"}
WRONG = {"id": IDS[1], "answer": "I (put-down b1).", "model": "m"}
STRANGE = (
    "../../etc/passwd", "", "a\x00b", "\u202egnp.exe", "\x1b[31m", "x" * 10**5, "\ud800", "-o",
)  # fmt: skip


def answers(folder: Path, *rows: Any, name: str = "answers.jsonl") -> Path:
    """Write rows as lines of JSON; write a row that is a string unchanged."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    data = "".join(f"{line}\n" for line in lines).encode()
    (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return folder / name


def test_tables_and_lines_in_the_order_of_the_answers(cli: Cli, tmp_path: Path) -> None:
    done = cli("score", DATA, answers(tmp_path, WRONG, GOOD, GOOD), "--k", "2", "-o", "s.jsonl")
    assert (done.status, done.err) == (1, "")
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[2][:6] == ["m", "3", "2", "3", "50.00", "50.00"]
    assert lines[2][6:] == ["9.5", "to", "90.5", "(n<5)", "50.00", "100.00", "(n=1)"]
    assert lines[-1] == ["m", "planning", "precondition", IDS[1], "1", "33.33"]
    assert "By size" in done.out
    scored = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    found = [(line["id"], line["attempt"], line["status"]) for line in scored]
    assert found == [(IDS[1], 1, "invalid"), (IDS[0], 1, "valid"), (IDS[0], 2, "valid")]
    assert [line["strict_status"] for line in scored] == ["malformed", "valid", "valid"]


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        ([GOOD], 0),
        ([GOOD, WRONG], 1),
        ([GOOD, {"id": IDS[0], "answer": None}], 1),
        ([WRONG, GOOD, {"id": "nowhere", "answer": ""}], 2),
        ([GOOD, "{"], 2),
        (["{"], 2),
        ([], 2),
    ],
)
def test_exit_status(cli: Cli, tmp_path: Path, rows: list[Any], status: int) -> None:
    assert cli("score", DATA, answers(tmp_path, *rows)).status == status


def test_an_answer_without_a_verdict_is_status_3(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "d.pddl").write_text(
        "(define (domain d) (:predicates (p)) (:durative-action a :parameters ()"
        " :duration (= ?duration 1) :condition () :effect (at end (p))))"
    )
    (tmp_path / "p-1.pddl").write_text("(define (problem p) (:domain d) (:init) (:goal (p)))")
    file = answers(tmp_path, {"id": "p-1", "answer": "(a)"})
    done = cli("score", "p-1.pddl", file, "--domain", "d.pddl")
    assert done.status == 3
    assert "without verdict" in done.out


def test_faults_are_told_with_their_lines_and_stop_nothing(cli: Cli, tmp_path: Path) -> None:
    bad = [{"id": name, "answer": "x"} for name in STRANGE]
    file = answers(tmp_path, *bad, *["{"] * 30, GOOD)
    done = cli("score", DATA, file, "--json", "-o", "s.jsonl")
    messages = done.err.splitlines()
    assert len(messages) == 21
    assert messages[0].startswith(f"{file}:1: unknown id '../../etc/passwd'")
    assert messages[-1] == "and 18 more rows that are not answers"
    assert all(line.isprintable() for line in messages)
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert lines[-1] == {"table": "faults", "rows": 38}
    assert (lines[0]["accuracy"], lines[0]["answers"]) == (1, 1)
    assert len((tmp_path / "s.jsonl").read_text().splitlines()) == 39
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.jsonl", "s.jsonl"]


def test_several_datasets_and_a_packed_file(cli: Cli, tmp_path: Path) -> None:
    ferry = domain_folder("ferry")
    name = next(load_records(ferry / "examples.jsonl")).id
    other = {"id": name, "answer": (ferry / "p01.plan").read_text(), "model": "m"}
    file = answers(tmp_path, GOOD, other, name="a.jsonl.gz")
    done = cli("score", DATA, ferry / "examples.jsonl", file, "--by", "domain", "--by", "model")
    assert done.status == 0
    assert [line.split()[1] for line in done.out.splitlines()[-2:]] == ["blocksworld", "ferry"]


def test_an_attempt_that_is_none_or_there_twice_is_told(cli: Cli, tmp_path: Path) -> None:
    rows = [GOOD | {"attempt": 2}, GOOD | {"attempt": 2}, GOOD | {"attempt": -1},
            GOOD | {"attempt": 2, "model": "n"}]  # fmt: skip
    done = cli("score", DATA, answers(tmp_path, *rows), "-o", "s.jsonl")
    assert done.status == 2
    assert [line.partition("answers.jsonl")[2] for line in done.err.splitlines()] == [
        f":2: attempt 2 at '{IDS[0]}' is given twice",
        ":3: field 'attempt': found -1, expected a whole number from 1 on",
    ]
    scored = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert [line["status"] for line in scored] == ["valid", "undecided", "undecided", "valid"]


def test_metrics_of_more_attempts_than_there_are_are_not_shown(cli: Cli, tmp_path: Path) -> None:
    answers(tmp_path, WRONG, GOOD, GOOD)
    for options, k in (((), 5), (("--k", "3"), 3)):
        page = tmp_path / f"{k}.html"
        done = cli("score", DATA, "answers.jsonl", *options, "--html", page.name)
        note = (
            f"Not shown: accuracy@{k} and pass@{k}, because no instance has more than 2 judged "
            "attempts; --k sets k."
        )
        assert done.out.splitlines()[3] == note
        assert done.out.count("@") == 2
        assert note in page.read_text()
