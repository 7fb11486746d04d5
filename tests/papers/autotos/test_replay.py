"""The published conversations, replayed: a small folder of logs stands in for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from failing_code import GOAL_24
from places import ROOT
from scripted_model import GOAL, SUCC, fenced

from pddl_pipeline.papers.autotos.checks import own_folder
from pddl_pipeline.papers.autotos.published_log import log_text
from pddl_pipeline.papers.study import MissingData, StudyResult, Workbench, studies
from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.search.black_boxes.domain import domains

EXAMPLE = ROOT / "examples" / "autotos" / "24game.txt"
RECURSIVE = """def successor_states(state):
    if len(state) < 2:
        return []
    successor_states(state[1:])
    return [[state[0] * state[1], *state[2:]]]
"""
SCORED = "Success: 1, failure: 0, total expansions 3, total generated 9\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with the unit tests of the three domains, and one log of the 24 game."""
    place = tmp_path / "autotos"
    for name in ("24game", "blocksworld", "sokoban"):
        (place / name).mkdir(parents=True)
        for file in own_folder(domains()[name]).glob("*.*"):
            (place / name / file.name).write_text(file.read_text())
    (place / "24game" / "unittests.csv").write_text("Rank,Puzzles\n1,4 6 1\n")
    (place / "24game" / "model_test.csv").write_text("Rank,Puzzles\n1,4 6\n2,3 8\n")
    for name, folder in (("blocksworld", "blocks_instances"), ("sokoban", "test_instances")):
        (place / name / folder).mkdir()
        text = (ROOT / "pddl_domains" / name / "p01.pddl").read_text()
        (place / name / folder / "p05.pddl").write_text(text)
        (place / name / folder / "domain.pddl").write_text(domain_text(name))
    add(tmp_path, "a", EXAMPLE.read_text() + SCORED)
    return tmp_path


def add(data: Path, name: str, text: str) -> None:
    folder = data / "autotos" / "clean_logs" / "24game" / "gpt4-val_logs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"script_log_{name}.txt").write_text(text)


def study(name: str, data: Path) -> StudyResult:
    return studies()[name].run(Workbench(data / "out", data=data, number=5))


def verdicts(found: StudyResult) -> list[tuple[str, float | None, int | None]]:
    return [(each.verdict, each.ours[0].value, each.ours[0].of) for each in found.comparisons]


def test_a_log_that_agrees(data: Path) -> None:
    found = study("autotos-replay", data)
    assert verdicts(found) == [*4 * [("agrees", 1, 1)], ("not compared", 0, 15)]
    calls, errors, differences = (each.table for each in found.tables)
    assert calls.rows[1][:3] == ("GPT-4o", "3.4", "4.0")
    assert ("isgoal-soundness", "1", "50.00", "1", "50.00") in errors.rows
    assert differences.rows == ()


def test_a_difference_is_explained_by_the_condition_under_which_it_is_gone(data: Path) -> None:
    """A function that calls itself: the authors' code does not find it, ours does."""
    calls = [
        ("How?", fenced(RECURSIVE)), ("Goal?", GOAL),
        ("The following exception was produced when testing the successor function: x", SUCC),
    ]  # fmt: skip
    add(data, "b", log_text(calls, accepted=True))
    found = study("autotos-replay", data)
    assert verdicts(found)[:4] == [
        ("agrees", 2, 2), ("agrees", 2, 2), ("differs", 1, 2), ("agrees", 2, 2),
    ]  # fmt: skip
    (row,) = found.tables[2].table.rows
    assert row[1:4] == ("2", "succ-exception", "succ-completeness")
    assert row[4].startswith("extraction: ")


def test_a_difference_without_such_a_condition_is_unexplained(data: Path) -> None:
    add(data, "c", EXAMPLE.read_text().replace("Completeness Test Passed", "x Process stopped."))
    found = study("autotos-replay", data)
    assert [row[4] for row in found.tables[2].table.rows] == ["unexplained"]
    assert verdicts(found)[3] == ("differs", 1, 2)


def test_the_accuracy_of_the_final_functions(data: Path) -> None:
    found = study("autotos-replay-accuracy", data)
    assert verdicts(found) == [("agrees", 1, 1)]
    never = EXAMPLE.read_text().replace("abs(state[0] - 24) < 1e-3", "False") + SCORED
    assert GOAL_24 not in never
    add(data, "d", never)
    found = study("autotos-replay-accuracy", data)
    assert verdicts(found) == [("differs", 1, 2)]
    assert found.tables[0].table.rows[0][1:] == ("1 of 1", "0 of 2")
    assert "1 other logs of 24game" in found.tables[0].table.rows[1][0]


@pytest.mark.parametrize("name", ["autotos-replay", "autotos-replay-accuracy"])
def test_without_logs_the_study_says_which_are_missing(name: str, tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"requires clean_logs, .* in the folder autotos of"):
        studies()[name].run(Workbench(tmp_path))
