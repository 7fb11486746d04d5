"""Tables of answers over the domains, each with the verdict of a careful reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from answer_table import rows

from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.records import from_record

COUNTDOWN = Path(__file__).with_name("countdown.jsonl")


@pytest.mark.parametrize("domain", sorted(rows()[0]))
def test_each_text_has_the_verdict_of_a_careful_reader(domain: str) -> None:
    instances, texts = rows()
    mine = [row for row in texts if row["domain"] == domain]
    answers = [{"id": "t", "answer": row["text"]} for row in mine]
    found = [str(each.verdict.status) for each in score([instances[domain]], answers)]
    differ = [
        (row["kind"], status, row["text"])
        for row, status in zip(mine, found, strict=True)
        if status != row["verdict"]
    ]
    assert mine
    assert differ == []


def verdict(numbers: list[int], target: int, text: str) -> str:
    record = {"id": "t", "domain": "countdown", "numbers": numbers, "target": target}
    (found,) = score([from_record(record)], [{"id": "t", "answer": text}])
    if found.correct:
        return "valid"
    # A false value beside other mistakes is one of several.
    return "false-value" if list(map(str, found.errors)) == ["false-value"] else "wrong"


def test_each_countdown_text_has_the_verdict_of_a_careful_reader() -> None:
    texts = [json.loads(line) for line in COUNTDOWN.read_text().splitlines()]
    assert len(texts) > 120
    found = [(row, verdict(row["numbers"], row["target"], row["text"])) for row in texts]
    assert [(row["kind"], got) for row, got in found if got != row["verdict"]] == []


def test_the_table_is_large() -> None:
    assert len(rows()[1]) >= 490
