"""The table of deviations from VAL in the docs, the cases, and VAL itself say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from places import ROOT, TESTS
from val_program import needs_val, val_on_files

CASES = Path(__file__).with_name("cases")
PAGE = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Deviations from VAL")[2].partition("\n## ")[0]
NAMES = sorted(path.parent.name for path in CASES.glob("*/expected.json"))


def expected(name: str) -> dict[str, Any]:
    answers: dict[str, Any] = json.loads((CASES / name / "expected.json").read_text("utf-8"))
    return answers


def rows(last_heading: str) -> list[list[str]]:
    """Return the names in the last column of each row of the table with that last heading."""
    tables = re.split(r"\n(?!\|)", SECTION)
    (table,) = [each for each in tables if f"| {last_heading} |\n" in each.replace("\r", "")]
    _, _, *lines = [line for line in table.splitlines() if line.startswith("|")]
    return [re.findall(r"`([^`]+)`", line.split("|")[-2]) for line in lines]


def test_every_deviation_has_cases_and_every_case_that_deviates_has_a_row() -> None:
    table = rows("cases")
    assert all(table)
    listed = [name for row in table for name in row]
    assert sorted(listed) == [name for name in NAMES if "val" in expected(name)]


def test_deviations_of_the_command_line_have_tests() -> None:
    tests = (TESTS / "cli" / "test_val.py").read_text(encoding="utf-8")
    table = rows("test")
    assert len(table) == 4
    assert all(f"def {name}(" in tests for row in table for name in row)


def test_stored_answers_of_val_differ_from_ours() -> None:
    assert not [name for name in NAMES if expected(name).get("val") == expected(name)["status"]]


@needs_val
def test_val_gives_the_stored_answers() -> None:
    found: dict[str, str] = {}
    stored: dict[str, str] = {}
    for name in NAMES:
        answer = val_on_files(
            *(CASES / name / file for file in ("domain.pddl", "problem.pddl", "plan"))
        )
        stored[name] = expected(name).get("val", expected(name)["status"])
        value = f", value {answer.value}" if ", value " in stored[name] else ""
        found[name] = f"{answer.status}{value}"
    assert found == stored
