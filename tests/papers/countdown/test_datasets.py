"""Tests of the Countdown paper's datasets: the generated ones and the 24 game."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import DATA

from pddl_pipeline.papers.countdown.datasets import METHODS, instances_of, puzzles, target_table
from pddl_pipeline.papers.study import Workbench
from pddl_pipeline.translators.records import from_record


@pytest.mark.parametrize("dataset", METHODS)
def test_instances_are_always_the_same(dataset: str, tmp_path: Path) -> None:
    found = instances_of(Workbench(tmp_path), dataset, [4], 2)
    assert found == instances_of(Workbench(tmp_path), dataset, [4], 2)
    assert [len(instance.record.numbers) for instance in found] == [4, 4]


def test_targets_are_in_their_range(tmp_path: Path) -> None:
    anywhere = instances_of(Workbench(tmp_path), "CD", [6], 4)
    near = instances_of(Workbench(tmp_path), "CD", [6], 4, "1-999")
    assert [a.record.numbers for a in anywhere] == [n.record.numbers for n in near]
    assert max(instance.record.target for instance in anywhere) > 999
    assert all(1 <= instance.record.target <= 999 for instance in near)


def test_the_table_of_targets() -> None:
    targets = (7, 2**53 + 1, 10**20, 12)
    sizes = ([1, 2], [1, 2], [1, 2], [1, 2, 3])
    instances = [
        from_record({"id": f"{at}", "domain": "countdown", "numbers": numbers, "target": target})
        for at, (numbers, target) in enumerate(zip(sizes, targets, strict=True))
    ]
    assert target_table({"CD": instances}).rows == (
        ("CD", "2", "3", "7.00e+0", "9.01e+15", "1.00e+20", "2"),
        ("CD", "3", "1", "1.20e+1", "1.20e+1", "1.20e+1", "0"),
    )


def test_the_24_game_without_data_is_every_solvable_hand(tmp_path: Path) -> None:
    game = puzzles(Workbench(tmp_path))
    assert len(game.every) == 1362
    hands = {instance.record.numbers for instance in game.every}
    assert hands & {(3, 3, 8, 8), (1, 3, 4, 6), (1, 1, 1, 1)} == {(3, 3, 8, 8), (1, 3, 4, 6)}
    assert len(game.evaluated) == 100


@pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")
def test_the_public_24_game(tmp_path: Path) -> None:
    game = puzzles(Workbench(tmp_path, data=DATA))
    assert (len(game.every), len(game.evaluated)) == (1362, 100)
    assert [game.evaluated[at].record.numbers for at in (0, -1)] == [(4, 5, 6, 10), (4, 9, 10, 13)]
