"""Plans of PDDL+ in steps of time, and in both meanings beside each other; see also test_cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command_line import CliHere
from hypothesis import given
from hypothesis import strategies as st
from places import TESTS

from pddl_pipeline import read_task, validate
from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.validation.discretised import _BITS, Interval, _interval
from pddl_pipeline.validation.plan_formats import judge_output

TANK = TESTS / "support" / "foreign_pddl" / "tank"
DOMAIN, PROBLEM = (TANK / "domain.pddl").read_text(), (TANK / "p01.pddl").read_text()
FILL = "(increase (level) (* #t (flow ?p)))"
MOTION = """(define (domain motion) (:requirements :numeric-fluents :time)
  (:predicates (turned)) (:functions (x) (v) (a))
  (:process move :effect (and (increase (x) (* (v) #t)) (increase (v) (* #t (a)))))
  (:process drag :precondition (> (v) 0) :effect (decrease (v) (/ (* #t (v)) 8)))
  (:event turn :precondition (and (>= (x) 5) (not (turned)))
   :effect (and (turned) (assign (a) -1)))
  (:action push :effect (increase (v) 1)))"""
# What can be computed with an interval and any number.
ALWAYS: dict[str, Callable[[Any, Fraction], Any]] = {
    "+": lambda x, number: number + x,
    "-": lambda x, number: number - x,
    "*": lambda x, number: x * number,
    "^": lambda x, number: x ** (number.numerator % 4),
}
small = st.integers(-6, 6).map(lambda n: Fraction(n, 2))


@given(x=small, v=small, a=small, at=st.integers(0, 9), size=st.sampled_from((1, 2, 5)))
def test_steps_of_time_are_those_of_a_loop(
    x: Fraction, v: Fraction, a: Fraction, at: int, size: int
) -> None:
    delta, end, start = Fraction(1, size), 12, (x, v, a)
    turned, pushed = False, False
    for step in range(end * size + 1):
        if step:
            dragged = v / 8 if v > 0 else 0
            x, v = x + v * delta, v + (a - dragged) * delta
        # An event that waits at the start would make it matter when the first action happens.
        if x >= 5 and not turned:
            a, turned = Fraction(-1), True
        if step == at * size and not pushed:
            v, pushed = v + 1, True
    init = " ".join(f"(= ({n}) {float(value)})" for n, value in zip("xva", start, strict=True))
    goal = " ".join(f"(= (* ({n}) {y.denominator}) {y.numerator})" for n, y in (("x", x), ("v", v)))
    problem = f"(define (problem p) (:domain motion) (:init {init}) (:goal (and {goal})))"
    plan = f"{at}: (push)\n{end}: @PlanEND\n"
    verdict = read_task(MOTION, problem).judge(plan, delta=delta)
    assert str(verdict.status) == "valid", verdict.reason
    other = problem.replace("(:goal (and ", "(:goal (and (> (v) 100) ")
    assert str(read_task(MOTION, other).judge(plan, delta=delta).status) == "invalid"


@given(
    first=st.fractions(),
    others=st.lists(st.tuples(st.sampled_from("+-*/r^"), st.fractions()), max_size=8),
)
def test_an_interval_has_the_exact_number(
    first: Fraction, others: list[tuple[str, Fraction]]
) -> None:
    exact, rounded = first, _interval(first)
    for sign, number in others:
        if sign in ALWAYS:
            exact, rounded = (ALWAYS[sign](each, number) for each in (exact, rounded))
        elif sign == "/" and number:
            exact, rounded = exact / number, rounded / number
        elif sign == "r" and exact and not rounded.low <= 0 <= rounded.high:
            exact, rounded = number / exact, number / rounded
    assert Fraction(rounded.low, 2**_BITS) <= exact <= Fraction(rounded.high, 2**_BITS)
    for number in (first, Fraction(0)):
        try:
            assert ((rounded < number), (rounded >= number)) == (exact < number, exact >= number)
        except NotJudged:
            assert rounded.low != rounded.high


def test_a_comparison_within_an_interval_is_not_decided() -> None:
    with pytest.raises(NotJudged):
        _ = Interval(0, 2) < 1 / Fraction(2**_BITS)


def test_waits_and_the_end_of_a_plan_are_read_in_every_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = read_task(DOMAIN, PROBLEM)
    # As many as a process for each of two pumps and an event have in 6 steps of time.
    monkeypatch.setattr("pddl_pipeline.validation.discretised._MOST_TESTS", 6 * 3)
    plan = "0: (open small)\n0: -----waiting---- [5.0]\n5.0: (close small)\n6.0: @PlanEND \n"
    log = f"Problem Solved\n\nFound Plan:\n{plan}\nPlan-Length:8\nElapsed Time: 6.0\n"
    verdicts = [task.judge(plan), task.judge(task.read_plan(plan)), task.judge(plan, delta=1)]
    verdicts += [judge_output(log, form, task, task.judge)[1] for form in ("auto", "enhsp")]
    assert [(str(each.status), each.makespan) for each in verdicts] == [("valid", 6)] * 5
    assert "more than 18 tests" in str(task.judge(plan, delta=Fraction(6, 7)).reason)
    for wrong in (plan.replace("6.0", "4.0"), plan.replace("waiting", "wait"), "(open small)"):
        assert validate(DOMAIN, PROBLEM, wrong).status == "malformed"


def test_enhsp_plans_in_steps_of_time_and_the_report_has_both_verdicts(
    cli_here: CliHere, tmp_path: Path
) -> None:
    for goal, name in ((">= (level) 10", "reached"), ("= (level) 4.5", "missed")):
        (tmp_path / name).mkdir()
        problem = PROBLEM.replace(">= (level) 10", goal).replace("tank-1", name)
        (tmp_path / name / "p.pddl").write_text(problem)
        (tmp_path / name / "domain.pddl").write_text(
            DOMAIN.replace(FILL, f"(and {FILL} (increase (flow ?p) (* #t 2)))")
            if name == "missed"
            else DOMAIN
        )
    line = ("run", "reached", "missed", "-o", "runs", "--planner", "enhsp:delta=0.5")
    assert cli_here(*line, "--time-limit", "60s", cwd=tmp_path).status == 0
    stored = (tmp_path / "runs" / "runs.jsonl").read_text().splitlines()
    runs = {run["id"].split("-")[0]: run for run in map(json.loads, stored)}
    assert {(run["status"], run["semantics"], run["delta"]) for run in runs.values()} == {
        ("valid", "discretised", "1/2")
    }
    exact = [runs[name]["opinions"]["continuous"]["status"] for name in ("reached", "missed")]
    assert exact == ["valid", "invalid"]
    assert runs["reached"]["plan"][-1].endswith("@PlanEND")
    done = cli_here("report", "runs", "--json", cwd=tmp_path)
    rows = [row for row in map(json.loads, done.out.splitlines()) if row["table"] == "coverage"]
    assert [row["valid_continuously"] for row in rows] == [1]
    assert cli_here("rejudge", "runs", cwd=tmp_path).status == 0
    assert (tmp_path / "runs" / "runs.jsonl").read_text().splitlines() == stored


def test_the_page_of_a_plan_has_its_curves(cli_here: CliHere, tmp_path: Path) -> None:
    files = (TANK / "domain.pddl", TANK / "p01.pddl", TANK / "bad.plan")
    assert cli_here("show", *files, "-o", "page.html", cwd=tmp_path).status == 0
    page = (tmp_path / "page.html").read_text()
    assert page.count("<polyline") == 1
    assert "<title>10: the event (overflow)</title>" in page
    (tmp_path / "answers.jsonl").write_text('{"id": "p01", "answer": "(open small)"}')
    line = ("show", TANK / "p01.pddl", "answers.jsonl", "-o", "pages")
    assert cli_here(*line, cwd=tmp_path).status == 0
