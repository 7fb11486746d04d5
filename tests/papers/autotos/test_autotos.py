"""Tests of the studies of AutoToS on a few instances."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.autotos import search as autotos_24game
from pddl_pipeline.papers.comparison import Quantity
from pddl_pipeline.papers.study import MissingData, StudyResult, Workbench, studies
from pddl_pipeline.pddl_domains import domain_folder

BLOCKS = (domain_folder("blocksworld") / "domain.pddl").read_text()
SWAP = """(define (problem swap) (:domain blocksworld) (:objects a b)
 (:init (handempty) (ontable a) (on b a) (clear b)) (:goal (and (on a b))))"""


def study(name: str, bench: Workbench) -> StudyResult:
    return studies()[name].run(bench)


@pytest.mark.parametrize("name", ["autotos-blocksworld", "autotos-sokoban"])
def test_without_the_data_there_is_no_result(name: str, tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="in the folder autotos of --data"):
        study(name, Workbench(tmp_path))


@pytest.mark.parametrize(("length", "result"), [(4, "undecided"), (6, "differs")])
def test_the_published_length_decides(tmp_path: Path, length: int, result: str) -> None:
    place = tmp_path / "data" / "autotos" / "blocksworld" / "blocks_instances"
    place.mkdir(parents=True)
    (place / "instance-0.pddl").write_text(SWAP)
    (place / "domain.pddl").write_text(BLOCKS)
    (place.parent / "solutions.csv").write_text(f"blocks_instances/instance-0.pddl, {length}\n")
    bench = Workbench(tmp_path / "out", data=tmp_path / "data", time_s=60)
    lengths, accuracy = study("autotos-blocksworld", bench).comparisons
    assert lengths.verdict == result
    assert accuracy.verdict == "not compared"
    assert lengths.ours[0].value == int(result == "undecided")
    assert ("instance-0" in lengths.remark) == (result == "differs")


def test_an_instance_without_published_length_is_told(tmp_path: Path) -> None:
    place = tmp_path / "autotos" / "sokoban" / "test_instances"
    place.mkdir(parents=True)
    folder = domain_folder("sokoban")
    (place / "p06.pddl").write_text((folder / "p01.pddl").read_text())
    (place / "domain.pddl").write_text((folder / "domain.pddl").read_text())
    (place.parent / "sokoban_optimal_costs.json").write_text(json.dumps({"p07.pddl": 3}))
    bench = Workbench(tmp_path / "out", scale="paper", data=tmp_path, time_s=60)
    with pytest.raises(InputError, match="no published length of p06"):
        study("autotos-sokoban", bench)


def test_the_24_game_has_1362_puzzles_and_one_that_floats_miss(tmp_path: Path) -> None:
    puzzles, solved, accuracy, inexact = study("autotos-24game", Workbench(tmp_path)).comparisons
    assert (puzzles.ours[0].value, puzzles.verdict) == (1362, "agrees")
    assert (solved.ours[0].value, solved.ours[0].of) == (1362, 1362)
    assert inexact.ours == (Quantity(1, "3 3 8 8"),)
    assert {each.verdict for each in (puzzles, solved, inexact)} == {"agrees"}
    assert accuracy.verdict == "not compared"


@pytest.mark.parametrize(
    ("before", "after", "is_step"),
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
    before: Sequence[float], after: Sequence[float], *, is_step: bool
) -> None:
    assert autotos_24game.is_step(before, after) is is_step
