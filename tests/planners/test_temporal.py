"""Tests of planners on temporal tasks, and of the text of their plans."""

from __future__ import annotations

import json
import re
import shutil
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import CliHere
from hypothesis import example, given
from hypothesis import strategies as st
from places import SUPPORT

from pddl_pipeline.planners.registry import planners
from pddl_pipeline.planners.unified_planning import plan_text
from pddl_pipeline.validation.plan_reader import read_plan

FOLDER = SUPPORT / "foreign_pddl" / "satellite"
P01 = (FOLDER / "p01.pddl").read_text()
NEAR = re.sub(r"(?s)\(:goal.*?\n\)\)", "(:goal (have_image GroundStation2 thermograph0))", P01)
PREFERRED = P01.replace("(and", "(and (preference p (have_image Star0 image1))")
VALID = r"plan-found in .* the plan is valid"


@pytest.mark.parametrize(
    ("planner", "problem", "says"),
    [
        ("", P01, f"kairos: {VALID}"),
        ("lpg", P01, f"lpg: {VALID}"),
        ("aries", P01, f"aries: {VALID}"),
        pytest.param("tamer", NEAR, f"tamer: {VALID}", marks=pytest.mark.long),
        # It deletes at the start of a step what another needs at its start.
        ("tamer", P01, r"tamer: .* invalid: .* (deletes|needs|adds) \(pointing satellite0 "),
        ("mine=cmd:cat good.plan", P01, f"mine: {VALID}"),
        ("lpg", P01.replace("(supports i", ";"), "lpg: gave-up .* LPG could not reach the goals"),
        ("lama-first", P01, "lama-first: unsupported .* does not support temporal problems"),
        ("", PREFERRED, f"kairos: {VALID}"),
        ("lpg", PREFERRED, "lpg: unsupported .* lpg does not support pddl3 problems"),
    ],
)
def test_a_temporal_task_is_solved_or_unsupported(
    cli_here: CliHere, tmp_path: Path, planner: str, problem: str, says: str
) -> None:
    shutil.copy(FOLDER / "good.plan", tmp_path)
    (tmp_path / "problem.pddl").write_text(problem)
    chosen = ("--planner", planner) if planner else ()
    done = cli_here("solve", FOLDER / "domain.pddl", "problem.pddl", *chosen, cwd=tmp_path)
    assert re.fullmatch(says + ".*", done.err.splitlines()[-1])
    assert done.status == (0 if "valid" in says.split() else 1)


@pytest.mark.parametrize("planner", ["kairos", "kairos-anytime", "lpg"])
def test_instantaneous_actions_have_no_duration(
    cli_here: CliHere, tmp_path: Path, planner: str
) -> None:
    (tmp_path / "d.pddl").write_text(
        "(define (domain d) (:requirements :durative-actions) (:predicates (on) (done)) "
        "(:action switch :parameters () :effect (on)) "
        "(:durative-action work :parameters () :duration (= ?duration 5) "
        ":condition (over all (on)) :effect (at end (done))))"
    )
    (tmp_path / "p.pddl").write_text("(define (problem p) (:domain d) (:init) (:goal (done)))")
    solve = ("solve", "d.pddl", "p.pddl", "--planner", planner, "--time-limit", "2s")
    done = cli_here(*solve, cwd=tmp_path)
    assert done.status == 0
    assert re.search(r"(?m)^[0-9.]+: +\(switch\)$", done.out)


def test_a_failure_of_the_default_planner_names_the_others(
    cli_here: CliHere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if LPG were the default, which does not reach these goals."""
    monkeypatch.setattr("pddl_pipeline.runs.solving.choose_planner", lambda _: planners()["lpg"])
    shutil.copy(FOLDER / "domain.pddl", tmp_path)
    (tmp_path / "p1.pddl").write_text(P01.replace("(supports i", ";"))
    done = cli_here("solve", "domain.pddl", "p1.pddl", cwd=tmp_path)
    reason, command = done.err.splitlines()[-2:]
    others = "others support such tasks: kairos, kairos-anytime, tamer, aries"
    assert reason.startswith("lpg: gave-up in ")
    assert reason.endswith(f"LPG could not reach the goals; {others}")
    assert command.startswith("also for this task: `pddl-pipeline solve ")
    assert command.endswith("p1.pddl --planner kairos`")
    assert (done.status, done.out) == (1, "")
    line = ("run", "p1.pddl", "--planner", "lpg", "-o", "r")
    assert cli_here(*line, cwd=tmp_path).status == 0
    (run,) = map(json.loads, (tmp_path / "r" / "runs.jsonl").read_text().splitlines())
    assert run["reason"].endswith(others)


LENGTHS = st.none() | st.fractions(Fraction(1, 50), 3, max_denominator=50)
DELAYS = st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 1000)])


@example([(1, Fraction(2, 3), Fraction(0))] * 3)
@given(st.lists(st.tuples(st.integers(1, 3), LENGTHS, DELAYS), max_size=12))
def test_decimals_keep_the_order_of_starts_and_ends(drawn: list[Any]) -> None:
    """Starts are at the end of an earlier step, or a little later; many times are equal."""
    timed, ends = list[tuple[Fraction, Any, Fraction | None]](), [Fraction(0)]
    for number, (before, length, delay) in enumerate(drawn):
        start = ends[-min(before, len(ends))] + delay
        action = SimpleNamespace(action=SimpleNamespace(name=f"a{number}"), actual_parameters=())
        timed.append((start, action, length))
        ends.append(start + (length or 0))
    exact = {f"a{number}": (start, length) for number, (start, _, length) in enumerate(timed)}
    moments = list[tuple[Fraction, Fraction, Fraction, Fraction]]()
    for step in read_plan(plan_text(SimpleNamespace(timed_actions=timed))):
        (start, length), time = exact[step.action], step.time or Fraction(0)
        assert abs(time - start) < Fraction(1, 10**6)
        digits = len((step.duration or "").partition(".")[2])
        printed = None if step.duration is None else Fraction(step.duration)
        assert printed == (None if length is None else round(length, digits))
        moments.append((start, start + (length or 0), time, time + (printed or 0)))
    assert len(moments) == len(timed)
    for (start, _, time, _), (other, end, other_time, end_time) in product(moments, moments):
        assert (end <= start, other <= start) == (end_time <= time, other_time <= time)
