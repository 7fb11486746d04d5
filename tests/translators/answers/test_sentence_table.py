"""Tables of answers over the domains, each with the verdict of a careful reader."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record

TABLE = Path(__file__).with_name("sentences.jsonl")
COUNTDOWN = Path(__file__).with_name("countdown.jsonl")


@cache
def rows() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the instances by domain, and the texts."""
    table = [json.loads(line) for line in TABLE.read_text().splitlines()]
    instances = {row["domain"]: from_record(row["record"]) for row in table if "record" in row}
    instances |= {
        row["domain"]: given_instance("t", row["domain_pddl"], row["problem_pddl"], {})
        for row in table
        if "domain_pddl" in row
    }
    return instances, [row for row in table if "text" in row]


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
