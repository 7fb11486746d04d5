"""Tests of the studies of AutoToS, on a small folder of instances and logs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from scripted_model import GOAL, SUCC, fenced

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.autotos.checks import own_folder
from pddl_pipeline.papers.autotos.domains import DOMAINS
from pddl_pipeline.papers.autotos.published_log import log_text
from pddl_pipeline.papers.autotos.search import is_step
from pddl_pipeline.papers.comparison import Quantity
from pddl_pipeline.papers.study import StudyResult, Workbench, studies
from pddl_pipeline.pddl_domains import domain_folder, domain_text

EXAMPLE = (ROOT / "examples" / "autotos" / "24game.txt").read_text()
SCORED = "Success: 1, failure: 0, total expansions 3, total generated 9\n"
ONE, NONE = "(20.7 to 100.0 %)", "(0.0 to 79.3 %)"
SOUND = "".join(
    f"System message:\n{which} Soundness Test Passed\n" for which in ("Goal", "Successor States")
)
SWAP = """(define (problem swap) (:domain blocksworld) (:objects a b)
 (:init (handempty) (ontable a) (on b a) (clear b)) (:goal (and (on a b))))"""
BLOCKS, SOKOBAN = "blocksworld/blocks_instances/", "sokoban/test_instances/"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with the unit tests of the three domains, and one log of the 24 game."""
    for name in ("24game", "blocksworld", "sokoban"):
        for file in own_folder(DOMAINS[name]).glob("*.*"):
            add(tmp_path, f"{name}/{file.name}", file.read_text())
    add(tmp_path, "24game/unittests.csv", "Rank,Puzzles\n1,4 6 1\n")
    add(tmp_path, "24game/model_test.csv", "Rank,Puzzles\n1,4 6\n2,3 8\n")
    for name, folder in (("blocksworld", BLOCKS), ("sokoban", SOKOBAN)):
        add(tmp_path, f"{folder}p05.pddl", (domain_folder(name) / "p01.pddl").read_text())
        add(tmp_path, f"{folder}domain.pddl", domain_text(name))
    add_log(tmp_path, "a", EXAMPLE + SCORED)
    return tmp_path


def add(data: Path, name: str, text: str) -> None:
    file = data / "autotos" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def add_log(data: Path, name: str, text: str, kind: str = "val") -> None:
    add(data, f"clean_logs/24game/gpt4-{kind}_logs/script_log_{name}.txt", text)


def study(name: str, data: Path, **given: Any) -> StudyResult:
    return studies()[f"autotos-{name}"].run(
        Workbench(data / "out", data=data, number=5, time_s=60, **given)
    )


def verdicts(found: StudyResult) -> list[tuple[str, float | None, int | None]]:
    return [(each.verdict, each.ours[0].value, each.ours[0].of) for each in found.comparisons]


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(("length", "result"), [(4, "not compared"), (6, "differs")])
def test_the_published_length_decides(tmp_path: Path, length: int, result: str) -> None:
    add(tmp_path, f"{BLOCKS}instance-0.pddl", SWAP)
    add(tmp_path, f"{BLOCKS}domain.pddl", domain_text("blocksworld"))
    add(tmp_path, "blocksworld/solutions.csv", f"blocks_instances/instance-0.pddl, {length}\n")
    lengths, accuracy = study("blocksworld", tmp_path).comparisons
    assert (lengths.verdict, accuracy.verdict) == (result, "not compared")
    found = (lengths.ours[0].value, "instance-0" in lengths.remark)
    assert found == {"not compared": (1, False), "differs": (0, True)}[result]


def test_an_instance_without_published_length_is_an_error(data: Path) -> None:
    add(data, "sokoban/sokoban_optimal_costs.json", json.dumps({"p07.pddl": 3}))
    with pytest.raises(InputError, match="no published length of p05"):
        study("sokoban", data, scale="paper")


@pytest.mark.parametrize(
    ("number", "verdicts_", "inexact"),
    [
        (60, ["agrees", *3 * ["not compared"]], Quantity(0, "")),
        pytest.param(None, ["agrees", *2 * ["not compared"], "agrees"], Quantity(1, "3 3 8 8"),
                     marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_the_24_game_has_1362_puzzles_and_one_that_floats_miss(
    tmp_path: Path, number: int | None, verdicts_: list[str], inexact: Quantity
) -> None:
    comparisons = studies()["autotos-24game"].run(Workbench(tmp_path, number=number)).comparisons
    puzzles, solved, _, missed = comparisons
    assert [each.verdict for each in comparisons] == verdicts_
    assert (puzzles.ours[0].value, missed.ours) == (1362, (inexact,))
    assert solved.ours[0].value == solved.ours[0].of == (number or 1362)


@pytest.mark.parametrize(
    ("before", "after", "right"),
    [
        ([6, 4], [24], True),
        ([6, 4], [-2], True),
        ([4, 6, 9], [2 / 3, 9], True),
        ([4, 6, 9], [0.667, 9], True),
        ([4, 6, 9], [0.66, 9], False),
        ([4, 6, 9], [24, 8], False),
        ([4, 6, 9], [24], False),
        ([4, 4], [4], False),
        ([0, 4], [0], True),
    ],
)
def test_transitions_are_checked_apart(
    before: Sequence[float], after: Sequence[float], *, right: bool
) -> None:
    assert is_step(before, after) is right


def test_the_logs(data: Path) -> None:
    """With the test, a goal test that is always false is corrected; without it, it stays."""
    calls = [
        ("How?", SUCC),
        ("Goal?", fenced("def isgoal(state):\n    return False")),
        ("The goal test function failed on", GOAL),
    ]
    for kind, log in (
        ("val", log_text(calls, accepted=True)),
        ("noval", log_text(calls[:2], accepted=True)),
    ):
        add_log(data, "a", log.replace("System message:\n", SOUND) + SCORED, kind)
    found = study("logs", data)
    # No further logs exist, which could decide.
    assert [
        (each.our_text, each.verdict, each.decision.is_final) for each in found.comparisons
    ] == [
        ("0 of 15", "not compared", False),
        ("1 of 2", "differs", False),
        (f"1 of 1 {ONE}", "not compared", False),
        *3 * [(f"higher 1 of 1 {ONE}, lower 0 of 1 {NONE}", "undecided", True)],
        (f"higher 0 of 1 {NONE}, lower 0 of 1 {NONE}", "undecided", True),
    ]
    assert found.tables[0].table.rows[:3] == (
        ("24game", "with", "1", "0.0", "1", "100.0", "1", "100.0"),
        ("24game", "without", *3 * ["1", "0.0"]),
        ("blocksworld", "with", *3 * ["0", "-"]),
    )
    calls, errors = (each.table for each in found.tables[1:])
    assert calls.rows[1][:3] == ("GPT-4o", "3.4", "3.0")
    assert ("isgoal-soundness", "1", "100.00") in errors.rows
