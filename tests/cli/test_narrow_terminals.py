"""Tables of all commands on narrow terminals: no number and no word of a heading is lost."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from command_line import CliHere, Done
from page_blocks import in_turn
from places import ROOT

NUMBER = re.compile(r"(?<![\w.])[+-]?\d[\d.,]*(?![\w])")
COMMANDS = (
    "report runs",
    "report runs --compare bfs,random",
    "rejudge runs",
    "score two.jsonl answers.jsonl",
    "score two.jsonl answers.jsonl --by size --compare",
    "score questions.jsonl exact.jsonl --task questions",
    "list planners",
    "translate two.jsonl -o pddl",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("narrow")


@pytest.fixture(autouse=True)
def files(place: Path, cli_here: CliHere) -> None:
    if (place / "runs").exists():
        return
    lines = (ROOT / "examples" / "ferry.jsonl").read_text().splitlines()[:2]
    (place / "two.jsonl").write_text("".join(f"{line}\n" for line in lines))
    planners = ("--planner", "bfs", "--planner", "random", "--time-limit", "20s")
    assert cli_here("run", "two.jsonl", *planners, "-o", "runs", cwd=place).status == 0
    runs = [json.loads(line) for line in (place / "runs" / "runs.jsonl").read_text().splitlines()]
    answers = [
        {"id": run["id"], "model": run["planner"], "answer": "\n".join(run["plan"] or ["none"])}
        for run in runs
    ]
    (place / "answers.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in answers))
    cli_here("questions", "two.jsonl", "-o", "questions.jsonl", cwd=place)
    cli_here("questions", "questions.jsonl", "--answer", "-o", "exact.jsonl", cwd=place)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_number_and_no_heading_is_lost(command: str, place: Path) -> None:
    whole = printed(command, place, 1000)
    expected = Counter(NUMBER.findall(whole.out))
    words = {*re.findall(r"\w+", whole.out.partition("─")[0])}
    assert expected
    for columns in (60, 80, 120):
        narrow = printed(command, place, columns)
        assert narrow.status == whole.status
        assert not expected - Counter(NUMBER.findall(narrow.out)), columns
        assert words <= {*re.findall(r"\w+", narrow.out)}, columns
        rules = [line for line in narrow.out.splitlines() if "─" in line]
        assert max(map(len, rules), default=0) <= columns


def printed(command: str, place: Path, columns: int) -> Done:
    return all_printed(place, columns)[COMMANDS.index(command)]


@cache
def all_printed(place: Path, columns: int) -> list[Done]:
    return in_turn(map(str.split, COMMANDS), place, f"COLUMNS={columns} LINES=24", "2> /dev/null")
