"""The rules by which countdown answers count: chosen, never guessed from names, and printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from command_line import CliHere

NEGATIVE = "5 - 8 + 10 = 7"
FRACTION = "8 / (3 - 8 / 3) = 24"
PAPER = (
    "paper (negative numbers not allowed, fractions allowed, all numbers used, division by positive"
    " numbers, target met exactly)"
)
ROW = {"numbers": [5, 8, 10], "target": 7}
NUMS = {"nums": [5, 8, 10], "target": 7}
OWN = {**ROW, "domain": "countdown", "rules": {"negatives": True}}
EIGHTS = {"numbers": [3, 3, 8, 8], "target": 24}
# The answer, the instance, the options, the verdict, and the beginning of the line about the rules.
CASES = [
    # Names of columns do not decide.
    (NEGATIVE, ROW, "", "invalid", PAPER),
    (NEGATIVE, NUMS, "", "invalid", PAPER),
    (NEGATIVE, {"input": [5, 8, 10], "goal": 7}, "", "invalid", PAPER),
    (NEGATIVE, ROW, "--rules paper", "invalid", "paper ("),
    (NEGATIVE, ROW, "--rules 24game", "valid", "24game ("),
    (NEGATIVE, ROW, "--rules target-nums", "valid", "target-nums ("),
    (NEGATIVE, ROW, "--rules negatives=yes", "valid", "own (negative numbers allowed, "),
    (NEGATIVE, ROW, "--rules negatives=yes,tolerance=0.5", "valid", "own ("),
    (FRACTION, EIGHTS, "", "valid", "paper ("),
    (FRACTION, EIGHTS, "--rules stream-of-search", "invalid", "stream-of-search ("),
    (FRACTION, EIGHTS, "--rules fractions=no,all_used=false", "invalid", "own ("),
    # A named format decides, a record's own rules hold, and `--rules` overrules both.
    (NEGATIVE, NUMS, "--format target-nums", "valid", ""),
    (NEGATIVE, NUMS, "--format target-nums --rules paper", "invalid", ""),
    (NEGATIVE, OWN, "", "valid", ""),
    (NEGATIVE, OWN, "--rules paper", "invalid", ""),
]


@pytest.mark.parametrize(("answer", "instance", "options", "status", "rules"), CASES)
def test_rules_decide(
    answer: str, instance: dict[str, object], options: str, status: str, rules: str,
    tmp_path: Path, cli_here: CliHere,
) -> None:  # fmt: skip
    (tmp_path / "data.jsonl").write_text(json.dumps({"id": "a", **instance}))
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": "a", "answer": answer}))
    done = cli_here("translate", "data.jsonl", *options.split(), "-o", "pddl", cwd=tmp_path)
    (line,) = (line for line in done.err.splitlines() if "countdown rules" in line)
    assert line.startswith(f"data.jsonl: countdown rules: {rules}")
    done = cli_here("score", "pddl", "answers.jsonl", "-o", "out.jsonl", cwd=tmp_path)
    assert json.loads((tmp_path / "out.jsonl").read_text())["status"] == status, done.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "No number on the way may be negative"),
        (("--format", "24game"), "Numbers on the way may be negative"),
    ],
)
def test_the_prompt_states_the_rules_in_force(
    options: tuple[str, ...], sentence: str, tmp_path: Path, cli_here: CliHere
) -> None:
    (tmp_path / "24.csv").write_text("Rank,Puzzles\n1,1 1 4 6\n")
    assert sentence in cli_here("prompt", "24.csv", *options, cwd=tmp_path).out
