"""Tests of Tables 2 and 3 of CATS: scores by hand, and a study of runs with known outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.studies.cats.published_search import BUDGETS, TABLE2
from pddl_pipeline.studies.cats.search_scores import Method, Scored, methods
from pddl_pipeline.studies.registry import studies
from pddl_pipeline.studies.workbench import Workbench


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
    assert found["tight", "x"].success.average == found["tight", "x"].optimality.average == 0
    assert found["tight", "x"].efficiency.average is None
    assert found["unlimited", "x"].success.average == 1
    assert found["unlimited", "x"].optimality.average == pytest.approx(1 / 3)
    assert found["unlimited", "x"].efficiency.average == pytest.approx(0.8)


def test_averages_are_by_the_papers_shares() -> None:
    """Weights are 113 short, 476 mid and 419 long of 1,008; for efficiency, the solved tasks."""
    good = Scored("", success=True, optimality=0.5, efficiency=0.9, excess=20)
    bad = Scored("", success=False, optimality=0.0, efficiency=None, excess=None)
    short = replace(good, efficiency=0.5)
    method = Method({"short": [short], "mid": [good, bad], "long": [bad]})
    assert method.success == (1, 0.5, 0, pytest.approx((113 + 238) / 1008))
    assert method.optimality.average == pytest.approx((113 + 238) / 2 / 1008)
    assert method.efficiency == (
        0.5, 0.9, None, pytest.approx((113 * 0.5 + 238 * 0.9) / (113 + 238))
    )  # fmt: skip
    assert method.affordable(20) == method.success
    assert method.affordable(19).average == 0
    assert method.interval("long") == (0, pytest.approx(0.793, abs=0.001))


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
    findings = studies()["cats-table2"].run(Workbench(tmp_path, number=12))
    rows = {row[:2]: row[2:] for row in findings.tables[0].table.rows}
    compared = {each.what: each.result for each in findings.comparisons}
    return {"findings": findings, "rows": rows, "compared": compared}


def test_the_study_of_a_perfect_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = study(tmp_path, monkeypatch, 0, "cats")
    for budget in BUDGETS:
        cats = made["rows"][budget, "cats:omega=0.5,reward=goal-count"]
        assert cats == ("1.00",) * 4 + ("0.50",) * 4
        assert made["rows"][budget, "rap:reward=goal-count"] == ("0.00",) * 8
        paper = made["rows"][budget, "paper: CATS"]
        assert paper[3] == f"{TABLE2[budget]['CATS'].success.average:.2f}"
        order = f"CATS solves most, with the same reward and limit, {budget} budget"
        assert made["compared"][order] == "matched"
    efficiency = {row[:2]: row[2:] for row in made["findings"].tables[1].table.rows}
    assert efficiency["tight", "cats:reward=none"] == ("0.90",) * 4
    assert efficiency["tight", "tot:reward=uniform"] == ("-",) * 4
    assert made["findings"].conditions.startswith("12 tasks (4 short, 4 mid, 4 long)")


def test_the_study_of_another_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 42 more than needed, plans exceed the tight budget, and RAP ranks before CATS."""
    made = study(tmp_path, monkeypatch, 42, "rap")
    assert made["rows"]["tight", "rap:reward=goal-count"][3] == "0.00"
    assert made["rows"]["loose", "rap:reward=goal-count"][3] == "1.00"
    meeting = "CATS, loose budget: success if the first meeting of the trees ends the search"
    assert made["compared"][meeting] == "differs"
    order = "CATS solves most, with the same reward and limit, loose budget"
    assert made["compared"][order] == "differs"


def test_what_the_papers_numbers_say_of_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = study(tmp_path, monkeypatch, 0, "cats")["findings"].comparisons
    (averages,) = (each for each in made if each.what.startswith("the averages are means"))
    assert "RAP, unlimited, efficiency (0.70, by its cells 0.76)" in averages.ours
    (half,) = (each for each in made if each.what.startswith("optimality under the tight"))
    assert "CoT, Claude-Opus-4.1 short (0.16 of 0.19)" in half.why
    assert "CATS" not in half.why


def test_a_real_run_counts_its_expansions(tmp_path: Path, tasks: list[Instance[Any]]) -> None:
    bench = Workbench(tmp_path)
    (run,) = bench.solve("one", [tasks[2]], ["cats:reward=none"], Limits(time_s=60))
    found = methods(tasks, [run])["unlimited", "cats:reward=none"]
    assert found.success.average == 1
    assert found.efficiency.average == 1 - (run.expanded or 0) / 500 < 1
