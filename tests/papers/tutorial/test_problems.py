"""Tests of the tutorial's problems: counts of plans equal those of an enumeration."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.papers.study import Workbench, studies
from pddl_pipeline.papers.tutorial import problems as tutorial_problems
from pddl_pipeline.papers.tutorial.problems import Found, PlanCounts, mean_distance
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.translators import read_instance
from pddl_pipeline.validation.task import Task

LAMP = """(define (domain lamp) (:requirements :action-costs) (:predicates (on) (off) (broken))
  (:functions (total-cost))
  (:action up :precondition (off)
    :effect (and (on) (not (off)) (increase (total-cost) {up})))
  (:action down :precondition (on)
    :effect (and (off) (not (on)) (increase (total-cost) {down}))))"""
SWITCH = """(define (problem p) (:domain lamp)
  (:init (off) (= (total-cost) 0)) (:goal ({goal})) (:metric minimize (total-cost)))"""


def lamp(up: str = "2", down: str = "3", goal: str = "on") -> Task:
    return read_task(LAMP.format(up=up, down=down), SWITCH.format(goal=goal))


def test_a_lamp_may_be_switched_on_and_off_before() -> None:
    counts = PlanCounts(lamp())
    assert counts.best() == (2, 1)
    assert counts.least(4) == [2, 7, 12, 17]
    assert list(islice(counts.by_cost(), 8)) == [(c, int(c in {2, 7})) for c in range(8)]


def test_what_cannot_be_has_no_plans() -> None:
    counts = PlanCounts(lamp(goal="broken"))
    assert (counts.best(), counts.least(3)) == (None, [])


@pytest.mark.parametrize(
    ("cost", "most_states", "message"),
    [
        ("0", 9, "expected a positive whole number"),
        ("0.5", 9, "expected a positive whole number"),
        ("3", 1, "more than 1 states"),
    ],
)
def test_tasks_without_counts(cost: str, most_states: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        PlanCounts(lamp(down=cost), most_states=most_states)


@pytest.mark.parametrize(("domain", "longest"), [("grippers", 5), ("blocksworld", 7)])
def test_the_counts_are_those_of_listing_all_plans(
    domain: str, longest: int, tmp_path: Path
) -> None:
    (instance,) = Workbench(tmp_path).generated(domain, [3 if domain == "blocksworld" else 1], 1)
    task = read_instance(instance)
    listed, layer = Counter[int](), [task.initial_state()]
    for length in range(longest + 1):
        listed[length] = sum(map(task.goal_holds, layer))
        layer = [each.state for state in layer for each in task.successors(state)]
    assert listed.total() > 0
    assert dict(islice(PlanCounts(task).by_cost(), longest + 1)) == dict(listed)


def test_distances_are_shares_of_actions() -> None:
    assert mean_distance(["(a)\n(b)\n", "(b)\n(c)\n"]) == pytest.approx(2 / 3)
    assert mean_distance(["(a)\n", "(a)\n", "(b)\n"]) == pytest.approx(2 / 3)
    assert mean_distance(["(a)\n"]) is None


def test_plans_that_occur_twice_are_not_right() -> None:
    one, other = "(a)\n", "(b)\n"
    cases = [((one, other), 2), ((one, one), 2), ((one, other), 1), ((), 0)]
    assert [
        Found("p", plans, (1,) * len(plans), valid=valid).is_right for plans, valid in cases
    ] == [True, False, False, False]


@pytest.mark.usefixtures("runs")
def test_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(planner: Planner) -> None:
        if planner.distribution == "up-symk":
            raise EngineError("up-symk is not installed; fix: pip install up-symk")

    monkeypatch.setattr(tutorial_problems, "check_engine", check)
    monkeypatch.setattr(tutorial_problems, "_OTHERS", (("depots", 2),))
    bench = Workbench(tmp_path, number=1, sizes_given=range(4, 5), time_s=20)
    findings = studies()["tutorial-problems"].run(bench)
    results = {each.what: (each.verdict, each.decision.test) for each in findings.comparisons}
    del results["diverse: forbiditerative-diverse"]  # the small task has few plans to choose from
    missing = {name for name, result in results.items() if result == ("not compared", "")}
    assert missing == {"cost-optimal: symk-opt", "top-k: symk-topk"}
    assert {result for name, result in results.items() if name not in missing} == {
        ("not compared", "exact")
    }
    rows = {row[1]: row[2:6:2] for row in findings.tables[0].table.rows}
    assert (rows["kstar-topk"], rows["symk-opt"][0]) == (("5", "5"), "0")
    assert (tmp_path / "problem.pddl").is_file()
    assert findings.unexplained == 0
