"""The table of answers in sentences that a careful person judged, for tests."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from places import TESTS

from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record

TABLE = TESTS / "answers" / "sentences.jsonl"


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
