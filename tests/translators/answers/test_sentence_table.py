"""A table of answers in sentences over the domains, each with the verdict of a careful reader."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.records import from_record

TABLE = Path(__file__).with_name("sentences.jsonl")


@cache
def rows() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the instances by domain, and the texts."""
    table = [json.loads(line) for line in TABLE.read_text().splitlines()]
    instances = {row["domain"]: from_record(row["record"]) for row in table if "record" in row}
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


def test_the_table_is_large() -> None:
    assert len(rows()[1]) >= 300
