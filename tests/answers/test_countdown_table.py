"""Countdown answers, each with the verdict of a careful reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline import score
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.records import from_record

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("countdown.jsonl").read_text(encoding="utf-8").splitlines()
]
UNREADABLE = {"bad-format", "bad-operator"}


def judged(row: dict[str, Any]) -> Score:
    record = {"id": "t", "domain": "countdown", "numbers": row["numbers"], "target": row["target"]}
    (found,) = score([from_record(record)], [{"id": "t", "answer": row["text"]}])
    return found


def verdict(found: Score) -> str:
    if found.correct:
        return "valid"
    # A false value beside other mistakes is one of several.
    return "false-value" if list(map(str, found.errors)) == ["false-value"] else "wrong"


def as_told(row: dict[str, Any], found: Score) -> bool:
    errors = set(map(str, found.errors))
    return verdict(found) == row["verdict"] and row.get("error", "") in errors | {""}


def test_no_wrong_text_is_accepted_and_no_right_one_called_wrong() -> None:
    found = [(row, judged(row)) for row in ROWS]
    assert len(found) >= 321
    assert [row["text"] for row, each in found if each.correct and row["verdict"] != "valid"] == []
    assert [
        (row["text"], each.errors)
        for row, each in found
        if row["verdict"] == "valid"
        and not each.correct
        and not UNREADABLE.intersection(map(str, each.errors))
    ] == []


def test_most_texts_have_the_verdict_of_a_careful_reader() -> None:
    """Operations in words, named values, running totals and most withdrawn attempts are unread."""
    assert sum(as_told(row, judged(row)) for row in ROWS) >= 270


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["kind"])
def test_the_trace_has_every_line(row: dict[str, Any]) -> None:
    lines = [at for at, line in enumerate(row["text"].split("\n"), 1) if line.strip()]
    trace = judged(row).trace
    assert list(dict.fromkeys(line.line for line in trace)) == lines
    assert all(line.note or line.step for line in trace)
