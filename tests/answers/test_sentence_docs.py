"""Each row of the table about sentences in docs/answers.md is true."""

from __future__ import annotations

import re

import pytest
from answer_table import rows
from places import ROOT

from pddl_pipeline import score

DOCS = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")
HEAD = "| rule | text | read | found |"
CELL = re.compile(r"(?<!\\)\|")
ROWS = [
    [cell.strip().replace("\\|", "|") for cell in CELL.split(line)[1:-1]]
    for table in DOCS.split(HEAD)[1:]
    for line in table.partition("\n\n")[0].splitlines()[2:]
]


def test_the_table_was_found() -> None:
    assert len(ROWS) > 20


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1])
def test_rows(row: list[str]) -> None:
    _, text, read, found = row
    answer = {"id": "t", "answer": text[1:-1].replace("⏎", "\n")}
    (judged,) = score([rows()[0]["blocksworld"]], [answer])
    steps = ", ".join(" ".join((s.action, *s.arguments)) for s in judged.plan or ()) or "none"
    assert (steps, " ".join(judged.errors) or "valid") == (read, found)
