"""Tests of Tables 2 and 3 of CATS: scores by hand, and a study of runs with known outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.cats.benchmark import BUDGETS, SEARCHES, average
from pddl_pipeline.papers.cats.table2 import STUDIES, Method, Scored, methods
from pddl_pipeline.papers.comparison import Comparison
from pddl_pipeline.papers.study import Workbench


def result(instance: Instance[Any], planner: str, cost: int | None, expanded: int) -> RunResult:
    """Return a run that found a plan of a cost, or no plan if `cost` is None."""
    found = cost is not None
    within = instance.budget is None or (found and cost <= instance.budget)
    return RunResult(
        key="", id=instance.id, domain=instance.domain, size=instance.size, planner=planner,
        planner_version="", outcome=Outcome.PLAN_FOUND if found else Outcome.GAVE_UP,
        status=Status.VALID if found else None, plan=None, cost=cost, steps=None,
        within_budget=within if found else None, wall_s=1, cpu_s=1, memory_mb=1,
        expanded=expanded, limits={}, reason=None, opinions={}, started="", log="",
    )  # fmt: skip


@pytest.fixture
def tasks(tmp_path: Path) -> list[Instance[Any]]:
    """Return two tasks under three budgets."""
    return list(Workbench(tmp_path).generated("budget-blocksworld", [4], 2))


def test_scores_by_hand(tasks: list[Instance[Any]]) -> None:
    """Twice the least cost exceeds the tight budget, and scores 1/3 without a budget."""
    least = tasks[0].extras["optimal_cost"]
    runs = [result(each, "x", 2 * least, 100) for each in tasks[:3]]
    found = methods(tasks, runs)
    tight, unlimited = (
        [scores.get("all") for scores in found[budget, "x"].scores.values()]
        for budget in ("tight", "unlimited")
    )
    assert tight == [0, 0, None]
    assert unlimited == pytest.approx([1, 1 / 3, 0.8])


def test_averages_are_by_the_papers_shares() -> None:
    """Weights are 113 short, 476 mid and 419 long of 1,008; for efficiency, the solved tasks."""
    good = Scored(optimality=0.5, efficiency=0.9)
    bad = Scored(optimality=0.0, efficiency=None)
    short = good._replace(efficiency=0.5)
    method = Method({"short": [short], "mid": [good, bad], "long": [bad]})
    assert method.scores == {
        "success": {"short": 1, "mid": 0.5, "long": 0, "all": pytest.approx(351 / 1008)},
        "optimality": {"short": 0.5, "mid": 0.25, "long": 0, "all": pytest.approx(351 / 2 / 1008)},
        "efficiency": {
            "short": 0.5, "mid": 0.9, "all": pytest.approx((113 * 0.5 + 238 * 0.9) / 351)
        },
    }  # fmt: skip
    assert method.solved_of_all() == (2, 4)


def test_an_average_without_cells_is_unknown() -> None:
    assert average({}) is average({"short": 0.9}, {"short": 0.0}) is None
    assert average({"short": 0.9, "long": 0.1}) == pytest.approx((0.9 * 113 + 0.1 * 419) / 532)


def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: int, good: str) -> dict[str, Any]:
    """Run the study with planners that spend `extra` too much; only `good` ones find plans."""

    def solve(
        self: Workbench,
        store: str,
        instances: Sequence[Instance[Any]],
        planners: Sequence[str],
        limits: Limits,
    ) -> list[RunResult]:
        del self, store, limits
        return [
            result(each, planner, each.extras["optimal_cost"] + extra, 50)
            if planner.startswith(good) else result(each, planner, None, 500)
            for each in instances for planner in planners
        ]  # fmt: skip

    monkeypatch.setattr(Workbench, "solve", solve)
    findings = STUDIES[0].run(Workbench(tmp_path, number=12))
    rows = {row[:2]: row[2:] for row in findings.tables[0].table.rows}
    return {"findings": findings, "rows": rows}


def of(made: dict[str, Any], words: str) -> list[Comparison]:
    """Return the comparisons whose name contains words."""
    return [each for each in made["findings"].comparisons if words in each.what]


def test_the_study_of_a_perfect_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = study(tmp_path, monkeypatch, 0, "cats")
    for budget in BUDGETS:
        cats, rap, paper = (
            made["rows"][budget, name]
            for name in ("cats:omega=0.5,reward=goal-count", "rap:reward=goal-count", "paper: CATS")
        )
        assert (cats, rap) == (("1.00",) * 4 + ("0.50",) * 4, ("0.00",) * 8)
        assert paper[3] == f"{SEARCHES[budget]['CATS']['success']['all']:.2f}"
    # In Figure 3, a goal count stands in for the model's confidence.
    assert [each.verdict for each in (*of(made, "solves most"), *of(made, "Figure 3"))] == [
        *3 * ["agrees"],
        *3 * ["not compared"],
    ]
    efficiency = {row[:2]: row[2:] for row in made["findings"].tables[1].table.rows}
    assert efficiency["tight", "cats:reward=none"] == ("0.90",) * 4
    assert efficiency["tight", "tot:reward=uniform"] == ("-",) * 4
    assert made["findings"].conditions.startswith("12 tasks (4 short, 4 mid, 4 long)")
    # What the paper's numbers say of each other.
    (averages,), (half,) = of(made, "averages of Tables"), of(made, "(equation 4)")
    assert (averages.verdict, averages.ours[0].value, averages.ours[0].of) == ("differs", 25, 27)
    assert [each.value for each in averages.paper] == [0.02, 0.70]
    assert [each.value for each in averages.ours[1:]] == pytest.approx([0.0067, 0.756], abs=1e-3)
    assert (half.verdict, half.ours[0].value, half.ours[0].of) == ("differs", 21, 24)
    assert [each.value for each in half.paper] == [0.04, 0.01, 0.01]
    assert [each.value for each in half.ours[1:]] == pytest.approx([0.02, 0.0, 0.0])


def test_the_study_of_another_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 42 more than needed, plans exceed the tight budget, and RAP ranks before CATS."""
    made = study(tmp_path, monkeypatch, 42, "rap")
    rap = [made["rows"][budget, "rap:reward=goal-count"][3] for budget in ("tight", "loose")]
    assert rap == ["0.00", "1.00"]
    assert [each.verdict for each in of(made, "solves most")] == ["undecided", "differs", "differs"]
    assert of(made, "falls with the horizon")[1].verdict == "not compared"
