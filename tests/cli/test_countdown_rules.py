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
ROWS = {NEGATIVE: ([5, 8, 10], 7), FRACTION: ([3, 3, 8, 8], 24)}


def verdict(
    cli_here: CliHere, folder: Path, answer: str, options: tuple[str, ...] = (), *,
    names: tuple[str, str] = ("numbers", "target"), **more: object,
) -> tuple[str, str]:  # fmt: skip
    """Return the verdict on an answer, and the line about the rules."""
    numbers, target = ROWS[answer]
    row = {"id": "a", names[0]: numbers, names[1]: target, **more}
    (folder / "data.jsonl").write_text(json.dumps(row))
    (folder / "answers.jsonl").write_text(json.dumps({"id": "a", "answer": answer}))
    done = cli_here("translate", "data.jsonl", *options, "-o", "pddl", cwd=folder)
    (rules,) = (line for line in done.err.splitlines() if "countdown rules" in line)
    command = ("score", "pddl/instances.jsonl", "answers.jsonl", "-o", "out.jsonl")
    done = cli_here(*command, cwd=folder)
    assert done.status in {0, 1}, done.err
    status = json.loads((folder / "out.jsonl").read_text())["status"]
    return status, rules.removeprefix("data.jsonl: countdown rules: ")


@pytest.mark.parametrize("names", [("numbers", "target"), ("nums", "target"), ("input", "goal")])
def test_names_of_columns_do_not_decide(
    names: tuple[str, str], tmp_path: Path, cli_here: CliHere
) -> None:
    assert verdict(cli_here, tmp_path, NEGATIVE, names=names) == (
        "invalid", PAPER,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "options", "status", "name"),
    [
        (NEGATIVE, ("--rules", "paper"), "invalid", "paper ("),
        (NEGATIVE, ("--rules", "24game"), "valid", "24game ("),
        (NEGATIVE, ("--rules", "target-nums"), "valid", "target-nums ("),
        (NEGATIVE, ("--rules", "negatives=yes"), "valid", "own (negative numbers allowed, "),
        (NEGATIVE, ("--rules", "negatives=yes,tolerance=0.5"), "valid", "own ("),
        (FRACTION, (), "valid", "paper ("),
        (FRACTION, ("--rules", "stream-of-search"), "invalid", "stream-of-search ("),
        (FRACTION, ("--rules", "fractions=no, all_used=false"), "invalid", "own ("),
    ],
)
def test_rules_decide(
    answer: str, options: tuple[str, ...], status: str, name: str, tmp_path: Path, cli_here: CliHere
) -> None:
    found = verdict(cli_here, tmp_path, answer, options)
    assert (found[0], found[1][: len(name)]) == (status, name)


def test_a_named_format_decides_and_rules_overrule_it(tmp_path: Path, cli_here: CliHere) -> None:
    names, named = ("nums", "target"), ("--format", "target-nums")
    assert verdict(cli_here, tmp_path, NEGATIVE, named, names=names)[0] == "valid"
    both = (*named, "--rules", "paper")
    assert verdict(cli_here, tmp_path, NEGATIVE, both, names=names)[0] == "invalid"


def test_the_rules_of_a_record_hold_unless_others_are_chosen(
    tmp_path: Path, cli_here: CliHere
) -> None:
    own = {"domain": "countdown", "rules": {"negatives": True}}
    assert verdict(cli_here, tmp_path, NEGATIVE, **own)[0] == "valid"
    assert verdict(cli_here, tmp_path, NEGATIVE, ("--rules", "paper"), **own)[0] == "invalid"


def test_the_prompt_states_the_rules_in_force(tmp_path: Path, cli_here: CliHere) -> None:
    (tmp_path / "24.csv").write_text("Rank,Puzzles\n1,1 1 4 6\n")
    stated = {
        (): "No number on the way may be negative",
        ("--format", "24game"): "Numbers on the way may be negative",
    }
    for options, sentence in stated.items():
        assert sentence in cli_here("prompt", "24.csv", *options, cwd=tmp_path).out
