"""Each row of the tables about countdown in docs/answers.md is true."""

from __future__ import annotations

import re

import pytest
from places import ROOT

from pddl_pipeline import score
from pddl_pipeline.arithmetic.operations import SIGNS, combine
from pddl_pipeline.model.number import Number
from pddl_pipeline.translators.records import from_record

DOCS = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")
HEAD = "| rule | numbers, target | text | read | found |"
CELL = re.compile(r"(?<!\\)\|")
ROWS = [
    [cell.strip().replace("\\|", "|") for cell in CELL.split(line)[1:-1]]
    for table in DOCS.split(HEAD)[1:]
    for line in table.partition("\n\n")[0].splitlines()[2:]
]


def operations(numbers: list[int], plan: list[tuple[str, ...]]) -> str:
    """Return the operations of a plan on the numbers, such as ``3+5 8-4``."""
    values: dict[str, Number] = {f"n{at}": number for at, number in enumerate(numbers, 1)}
    told = []
    for action, *names in plan:
        if action in SIGNS:
            x, y = (values[name] for name in names)
            told.append(f"{x}{SIGNS[action]}{y}")
            values[names[0]] = combine(action, x, y)
    return " ".join(told) or "none"


def test_the_tables_were_found() -> None:
    assert len(DOCS.split(HEAD)) == 5
    assert len(ROWS) > 45


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2])
def test_rows(row: list[str]) -> None:
    _, task, text, read, found = row
    numbers, target = task.split(", ")
    values = [int(number) for number in numbers.split()]
    record = {"id": "a", "domain": "countdown", "numbers": values, "target": int(target)}
    answer = {"id": "a", "answer": text[1:-1].replace("⏎", "\n")}
    (judged,) = score([from_record(record)], [answer])
    steps = [(step.action, *step.arguments) for step in judged.plan or ()]
    assert (operations(values, steps), " ".join(judged.errors) or "valid") == (read, found)
