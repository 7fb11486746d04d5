"""A metric that is maximised: in the store, the report, comparisons and anytime plans."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from command_line import Cli
from hypothesis import given
from hypothesis import strategies as st
from store_results import RESULT

from pddl_pipeline.model.attempt import TimedPlan, best_plan
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.reporting.report import summarise
from pddl_pipeline.reporting.row import satisficing_score
from pddl_pipeline.reporting.run_comparison import RunChange, compare_planners

DOMAIN = """(define (domain sale) (:requirements :strips :numeric-fluents)
  (:predicates (open) (done)) (:functions (profit))
  (:action sell :parameters () :precondition (open) :effect (increase (profit) 5/2))
  (:action close :parameters () :precondition (open) :effect (and (not (open)) (done))))"""
PROBLEM = """(define (problem p) (:domain sale) (:init (open) (= (profit) 0)) (:goal (done))
  (:metric WORD (profit)))"""
# Sells as often as the words say, in one plan after another.
PLANNER = """import sys
for number, times in enumerate(sys.argv[2:], start=1):
    with open(f"{sys.argv[1]}.{number}", "w") as file:
        file.write("(sell)\\n" * int(times) + "(close)\\n")
"""


@pytest.fixture
def run(cli: Cli, tmp_path: Path) -> list[dict[str, object]]:
    """Run a planner that improves its plans, and one that does not, on both directions."""
    (tmp_path / "domain.pddl").write_text(DOMAIN.replace("5/2", "2.5"))
    for word in ("maximize", "minimize"):
        (tmp_path / f"{word}.pddl").write_text(PROBLEM.replace("WORD", word))
    (tmp_path / "planner.py").write_text(PLANNER)
    options = (
        word
        for name, times in (("many", "1 4 2"), ("one", "1"))
        for word in ("--planner", f"{name}=cmd:python planner.py {{plan}} {times}")
    )
    done = cli("run", "maximize.pddl", "minimize.pddl", *options, "--time-limit", "20s", "-o", "r")
    assert done.status == 0, done.err
    return [json.loads(line) for line in (tmp_path / "r" / "runs.jsonl").read_text().splitlines()]


def test_the_store_the_report_and_solve_follow_the_direction(
    run: list[dict[str, object]], cli: Cli
) -> None:
    stored = {(each["planner"], each["id"]): each["maximise"] for each in run}
    assert stored == {
        (planner, word): word == "maximize" for planner in ("many", "one")
        for word in ("maximize", "minimize")
    }  # fmt: skip
    done = cli("report", "r", "--compare", "one,many", "--json")
    lines = [json.loads(line) for line in done.out.splitlines()]
    scores = {each["planner"]: each["ipc_sat"] for each in lines if each["table"] == "coverage"}
    # The best plan of each run: of "one" 2.5 of 10, and 2.5 of 2.5.
    assert scores == {"many": 2, "one": pytest.approx(1.25)}
    # The claimed plan of a run is its last one: 5, more than 2.5.
    changes = {each["id"]: each["change"] for each in lines if each["table"] == "compared"}
    assert changes == {"maximize": "better", "minimize": "equal"}
    command = "many=cmd:python planner.py {plan} 1 4 2"
    for word, cost in (("maximize", "10"), ("minimize", "2.5")):
        best = cli("solve", "domain.pddl", f"{word}.pddl", "--planner", command)
        assert best.out.splitlines()[-1] == f"; cost = {cost}"


def test_a_store_of_a_former_version_says_what_it_lacks(
    run: list[dict[str, object]], cli: Cli, tmp_path: Path
) -> None:
    file = tmp_path / "r" / "runs.jsonl"
    lacks = ("maximise", "crc32")
    former = [{name: each[name] for name in each if name not in lacks} for each in run]
    file.write_text("".join(json.dumps(each) + "\n" for each in former))
    assert "4 runs of a former version do not say whether" in cli("report", "r").err


@given(costs=st.lists(st.fractions(), min_size=2), maximise=st.booleans())
def test_the_best_of_several_plans(*, costs: list[Fraction], maximise: bool) -> None:
    plans = [
        TimedPlan(0.0, str(cost), Verdict(Status.VALID, 1, cost, maximise=maximise))
        for cost in costs
    ]
    found = best_plan(plans)
    best = max(costs) if maximise else min(costs)
    assert found is not None
    assert found.text == str(best)
    runs = [
        replace(RESULT, planner=f"p{number}", key=str(number), cost=cost, maximise=maximise)
        for number, cost in enumerate(costs)
    ]
    report = summarise(runs)
    (known,) = report.best.values()
    assert known.value == best
    for each in runs:
        score = satisficing_score(each, known)
        assert (score == 1) is (each.cost == best)
        assert 0 <= score <= 1
    change = compare_planners(report, "p0", "p1").runs[0].change
    first, second = (cost if maximise else -cost for cost in costs[:2])
    assert (change is RunChange.BETTER) is (second > first)
    assert (change is RunChange.WORSE) is (second < first)
