"""What the baseline searches share: samples, goals that hold, tasks without a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from baseline_runs import blocks, given_of, run
from planner_problems import sample

from pddl_pipeline import translate
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.translators.records import from_record

BEST = {"blocksworld": 6, "budget-blocksworld": 52, "countdown": 4, "depots": 7, "ferry": 7,
        "grippers": 8, "minigrid": 8, "sokoban": 13}  # fmt: skip
"""The least costs of the samples, which the optimal engines find, too."""
CLASSICAL = ("blocksworld", "budget-blocksworld", "depots", "ferry", "grippers", "minigrid")
TREES: list[tuple[str, dict[str, Any]]] = [
    ("tot", {"search": "bfs"}), ("tot", {"search": "dfs"}), ("rap", {})
]  # fmt: skip
SEARCHES = [
    *((name, {"predictions": "none"}, tuple(BEST)) for name in ("goal-count", "simplan")),
    ("ground-truth", {}, tuple(BEST)),
    *(("cats", {"reward": reward}, CLASSICAL) for reward in ("none", "uniform", "goal-count")),
    *((*each, ("blocksworld", "budget-blocksworld", "ferry", "grippers")) for each in TREES),
]


@pytest.mark.parametrize(
    ("name", "chosen", "domain"),
    [(name, chosen, each) for name, chosen, domains in SEARCHES for each in domains],
)
def test_samples_are_solved(name: str, chosen: dict[str, Any], domain: str, tmp_path: Path) -> None:
    done = run(name, given_of(sample(domain), tmp_path), **chosen)
    assert done.verdict.status == "valid"
    if name == "ground-truth":
        assert done.verdict.cost == BEST[domain]


@pytest.mark.parametrize(("name", "chosen"), [*TREES, ("cats", {})])
def test_a_goal_that_holds_needs_no_expansion(
    name: str, chosen: dict[str, Any], tmp_path: Path
) -> None:
    done = run(name, given_of(blocks([["a", "b"]], [["on", "b", "a"]]), tmp_path), **chosen)
    assert (done.finding.plan, done.effort.expanded) == ((), 0)


CIRCLE = blocks([["a"], ["b"]], [["on", "a", "b"], ["on", "b", "a"]])
LOCKED = {"id": "g", "domain": "minigrid", "floorplan": ["..L."], "keys": {},
          "locks": {"p2": "shape0"}, "robot": "p0", "goal": "p3"}  # fmt: skip


@pytest.mark.parametrize("name", ["cats", "ground-truth"])
@pytest.mark.parametrize(
    "problem",
    [
        CIRCLE,
        translate(from_record(LOCKED)),
        blocks([["a"], ["b"], ["c"]], [["on", "a", "b"], ["on", "a", "c"]]),
        blocks([["a"], ["b"]], [["on", "a", "a"]]),
    ],
    ids=["circle", "locked", "two on one", "on itself"],
)
def test_that_there_is_no_plan_is_proved(name: str, problem: Problem, tmp_path: Path) -> None:
    done = run(name, given_of(problem, tmp_path))
    assert (done.finding.plan, done.finding.proof) == (None, True)
