"""Tests of the 24 game by the exact solver, ENHSP and depth-first search."""

from __future__ import annotations

from pathlib import Path

import pytest

from pddl_pipeline.papers.countdown import game24 as countdown_24game
from pddl_pipeline.papers.countdown.datasets import puzzles
from pddl_pipeline.papers.study import Workbench, studies

pytestmark = pytest.mark.usefixtures("runs")


@pytest.mark.long
def test_every_puzzle_is_solved(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, number=1, time_s=60)
    findings = studies()["countdown-24game"].run(bench)
    verdicts = [(c.verdict, c.decision.n) for c in findings.comparisons]
    # One instance does not show that every claimed plan is valid.
    assert verdicts == [("not compared", (1362,))] * 2 + [("not compared", ()), ("undecided", (1,))]
    (solved,) = (named.table for named in findings.tables)
    assert [row[:4] for row in solved.rows] == [
        ("countdown-exact", "1362", "1362", "1362"),
        ("enhsp", "1", "1", "1"),
        ("dfs", "1", "1", "1"),
    ]


def test_a_puzzle_that_is_missing_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = puzzles(Workbench(tmp_path))
    monkeypatch.setattr(
        countdown_24game, "puzzles", lambda _: whole._replace(every=whole.every[:5])
    )
    bench = Workbench(tmp_path, number=1, time_s=60)
    number, known, *_ = studies()["countdown-24game"].run(bench).comparisons
    assert (number.verdict, known.verdict) == ("differs", "differs")
    assert [each.value for each in number.paper] == [1362]
    assert [each.value for each in number.ours] == [5, 5, 1362]
    assert [(each.value, each.of) for each in known.ours] == [(5, 1362)]
