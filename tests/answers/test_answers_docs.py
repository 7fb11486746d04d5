"""Each row of the tables in docs/answers.md, and of more such rows, is true."""

from __future__ import annotations

import re
from typing import Any

import pytest
from places import ROOT, TESTS

from pddl_pipeline import score
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.operations import SIGNS, combine
from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.records import from_record

PAGES = (ROOT / "docs" / "answers.md", TESTS / "answers" / "more_rows.md")
CELL = re.compile(r"(?<!\\)\|")
BLOCKS = {
    "domain": "blocksworld",
    "init": [["a"], ["c", "b"]],
    "holding": None,
    "goal": [["on", "c", "a"]],
}


PLAN, STEPS = (
    "1. unstack(b,c)⏎2. put-down(b)⏎3. pick-up(c)⏎4. stack(c,a)",
    "unstack b c, put-down b, pick-up c, stack c a",
)


def rows(head: str) -> list[list[str]]:
    """Return the cells of the tables with this head."""
    texts = [part for page in PAGES for part in page.read_text("utf-8").split(head)[1:]]
    tables = [text.partition("\n\n")[0] for text in texts]
    lines = (CELL.split(line)[1:-1] for table in tables for line in table.splitlines()[2:])
    return [[cell.strip().replace("\\|", "|") for cell in cells] for cells in lines]


def found(record: dict[str, Any], text: str) -> tuple[list[Step], str]:
    """Return the steps and the mistakes of the answer in a cell."""
    told = re.sub(r"^P(?=⏎)", PLAN, text[1:-1])
    answer = {"id": "t", "answer": told.replace("⏎", "\n")}
    (judged,) = score([from_record({"id": "t", **record})], [answer])
    return list(judged.plan or ()), " ".join(judged.errors) or "valid"


def operations(numbers: list[int], plan: list[Step]) -> str:
    """Return the operations of a plan on the numbers, such as ``3+5 8-4``."""
    values: dict[str, Number] = {f"n{at}": number for at, number in enumerate(numbers, 1)}
    told = []
    for step in plan:
        if step.action in SIGNS:
            x, y = (values[name] for name in step.arguments)
            told.append(f"{x}{SIGNS[step.action]}{y}")
            values[step.arguments[0]] = combine(step.action, x, y)
    return " ".join(told) or "none"


PLANS = rows("| rule | text | read | found |")
COUNTDOWN = rows("| rule | numbers, target | text | read | found |")


def test_the_tables_were_found() -> None:
    assert (len(PLANS), len(COUNTDOWN)) == (48, 20)


@pytest.mark.parametrize("row", PLANS, ids=lambda row: row[0])
def test_plans(row: list[str]) -> None:
    _, text, read, mistakes = row
    steps, errors = found(BLOCKS, text)
    told = ", ".join(" ".join((step.action, *step.arguments)) for step in steps) or "none"
    assert (told, errors) == (STEPS if read == "P" else read, mistakes)


@pytest.mark.parametrize("row", COUNTDOWN, ids=lambda row: row[0])
def test_countdown(row: list[str]) -> None:
    _, task, text, read, mistakes = row
    given, target = task.split(", ")
    numbers = [int(number) for number in given.split()]
    record = {"domain": "countdown", "numbers": numbers, "target": int(target)}
    steps, errors = found(record, text)
    assert (operations(numbers, steps), errors) == (read, mistakes)
