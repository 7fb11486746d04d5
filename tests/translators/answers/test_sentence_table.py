"""Tables of answers over the domains, each with the verdict of a careful reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from answer_table import rows

from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.records import from_record

COUNTDOWN = Path(__file__).with_name("countdown.jsonl")


@pytest.mark.parametrize("domain", sorted(rows()[0]))
def test_each_text_has_the_verdict_of_a_careful_reader(domain: str) -> None:
    instances, texts = rows()
    mine = [row for row in texts if row["domain"] == domain]
    answers = [{"id": "t", "answer": row["text"]} for row in mine]
    found = list(score([instances[domain]], answers))
    differ = [
        (row["kind"], str(each.verdict.status), each.errors, row["text"])
        for row, each in zip(mine, found, strict=True)
        if str(each.verdict.status) != row["verdict"] or not has_error(row, each)
    ]
    assert mine
    assert differ == []


def has_error(row: dict[str, Any], found: Score) -> bool:
    """Return whether an answer has the mistake that its row names, if it names one."""
    return "error" not in row or row["error"] in map(str, found.errors)


def judged(row: dict[str, Any]) -> Score:
    record = {"id": "t", "domain": "countdown", "numbers": row["numbers"], "target": row["target"]}
    (found,) = score([from_record(record)], [{"id": "t", "answer": row["text"]}])
    return found


def verdict(found: Score) -> str:
    if found.correct:
        return "valid"
    # A false value beside other mistakes is one of several.
    return "false-value" if list(map(str, found.errors)) == ["false-value"] else "wrong"


def test_each_countdown_text_has_the_verdict_of_a_careful_reader() -> None:
    texts = [json.loads(line) for line in COUNTDOWN.read_text().splitlines()]
    assert len(texts) >= 321
    found = [(row, judged(row)) for row in texts]
    assert [
        (row["kind"], verdict(each), each.errors)
        for row, each in found
        if verdict(each) != row["verdict"] or not has_error(row, each)
    ] == []


def test_the_table_is_large() -> None:
    assert len(rows()[1]) >= 958
