"""Outputs of planners through the command line: one row a published format, and timed plans."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CliHere

from pddl_pipeline.cli import val_main
from pddl_pipeline.pddl_domains import domain_folder

OUTPUTS = Path(__file__).parent.parent / "validation" / "planner_output"
# The format log is not detected automatically, because it skips unknown lines.
CASES = sorted(path.parent for path in OUTPUTS.glob("*/plan") if path.parent.name != "log")
FOLDER = domain_folder("blocksworld")
TASK = FOLDER / "domain.pddl", FOLDER / "p01.pddl"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_validate_and_solve_read_the_whole_plan(
    cli_here: CliHere, tmp_path: Path, case: Path
) -> None:
    plan = [line for line in (case / "plan").read_text().splitlines() if line[0] != ";"]
    expected = ("valid" if plan else "invalid", len(plan))
    judge = ("validate", *TASK, case / "output", "--plan-format", "auto", "--json")
    done = cli_here(*judge, cwd=tmp_path)
    found = json.loads(done.out)
    assert (found["status"], found["steps"]) == expected
    planner = f"x=cmd:cat {case / 'output'}"
    done = cli_here("solve", *TASK, "--planner", planner, "--json", cwd=tmp_path)
    found = json.loads(done.out)
    assert (found["status"], found["steps"]) == expected
    assert found["plan"] == [line.lower() for line in plan]


DOMAIN = """(define (domain kiosk) (:requirements :durative-actions)
(:predicates (open) (fed ?g))
(:action unlock :parameters () :precondition () :effect (open))
(:durative-action serve :parameters (?g) :duration (= ?duration 5)
 :condition (over all (open)) :effect (at end (fed ?g))))"""
PROBLEM = "(define (problem one) (:domain kiosk) (:objects ann) (:init) (:goal (fed ann)))"
IPC = "0.000: (unlock) [{}]\n0.002: (serve ann) [5.000]\n"
LPG = " 0.0000: (UNLOCK) [D:{}; C:1.00]\n 0.0020: (SERVE ANN) [D:5.00; C:1.00]\n"
POPF = f"b (1.000 | 0.002);;;; Solution Found\n; Cost: 5.002\n; Time 0.01\n{IPC}"
UP = "TimeTriggeredPlan:\n    {}: unlock\n    0.002: serve(ann) [{}]\n"
PLANSYS2 = "plan: \n0:\t(unlock)\t[{}]\n0.002:\t(serve ann)\t[5]\n"
TIMED = {
    "strict": (IPC.format("0.0000"), "ipc", "malformed"),
    "lpg": (LPG.format("0.00"), "lpg", "valid"),
    "lpg without marks": (IPC.format("0.0000"), "lpg", "valid"),
    "popf": (POPF.format("0.001"), "popf", "valid"),
    "popf detected": (POPF.format("0.001"), "auto", "valid"),
    "plansys2": (PLANSYS2.format("0.001"), "auto", "valid"),
    "a duration that says something": (POPF.format("0.5"), "popf", "malformed"),
    "an exponent": ("1E-7: (unlock)\n2.e-3: (serve ann) [5.0E0]\n", "ipc", "valid"),
    "an exponent of UP": (UP.format("1e-05", "5.0"), "auto", "valid"),
    "a short duration of UP": (UP.format("0.0", "2e-05"), "auto", "invalid"),
    "a decimal comma": ("0,0: (unlock)\n0,002: (serve ann) [5]\n", "ipc", "malformed"),
    "a decimal comma of UP": (UP.format("0.0", "5,0"), "auto", "malformed"),
    "a step without parentheses": (
        POPF.format("0.001") + "6.000: serve ann  [5.000]\n", "auto", "malformed"
    ),
    "a step after the end": (
        POPF.format("0.001") + "\n * All goal deadlines\n6: (serve ann)  [5]\n", "auto", "malformed"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TIMED)
def test_timed_plans(cli_here: CliHere, tmp_path: Path, name: str) -> None:
    text, form, status = TIMED[name]
    for file, content in (("d", DOMAIN), ("p", PROBLEM), ("plan", text)):
        (tmp_path / file).write_text(content)
    done = cli_here("validate", "d", "p", "plan", "--plan-format", form, "--json", cwd=tmp_path)
    found = json.loads(done.out)
    assert (found["status"], found["steps"]) == (status, None if status == "malformed" else 2)
    is_idle = "0.001" in text or "0.00]" in text or "D:0.00" in text or "[0.0000]" in text
    assert ("notes" in found) == (status == "valid" and is_idle)
    if form == "auto":
        done = cli_here("solve", "d", "p", "--planner", "x=cmd:cat plan", "--json", cwd=tmp_path)
        found = json.loads(done.out)
        assert found["status"] == status
        assert status == "malformed" or len(found["plan"]) == 2


def test_the_reason_and_the_advice_of_a_plan_with_idle_durations(
    cli_here: CliHere, tmp_path: Path
) -> None:
    for file, content in (("d", DOMAIN), ("p", PROBLEM), ("plan", IPC.format("7.0"))):
        (tmp_path / file).write_text(content)
    done = cli_here("validate", "d", "p", "plan", cwd=tmp_path)
    assert "'unlock' has no duration, found [7.0]\n" in done.out
    (tmp_path / "plan").write_text(IPC.format("0.001"))
    done = cli_here("validate", "d", "p", "plan", cwd=tmp_path)
    assert "found [0.001]; looks like the output of LPG; try --plan-format lpg\n" in done.out


@pytest.mark.parametrize("duration", ["0", "0.001", "7"])
def test_val_ignores_the_duration_of_an_instantaneous_action(
    cli_here: CliHere, tmp_path: Path, duration: str
) -> None:
    """Like VAL, for which the three plans are valid with -t 0.001."""
    for file, content in (("d", DOMAIN), ("p", PROBLEM), ("plan", IPC.format(duration))):
        (tmp_path / file).write_text(content)
    done = cli_here("d", "p", "plan", cwd=tmp_path, program=val_main.main)
    assert (done.status, "Plan valid" in done.out) == (0, True)
    assert done.err == (
        "warning: plan: 1 duration of instantaneous actions ignored, such as in "
        f"(unlock) [{duration}]\n"
    )


LOGS = {
    "a step": ("2.0: (pick-up b2)", "2.0: (pick-up b2", "15:1: found '2.0: (pick-up b2', expected"),
    "the number of steps": (
        "Plan-Length:6",
        "Plan-Length:7",
        "found 'Plan-Length:7', but the plan",
    ),
    "the plan": ("Found Plan:", "Found Plan", "expected '(' at the start of a step"),
}


@pytest.mark.parametrize("name", LOGS)
def test_an_output_that_is_not_read_whole_has_the_line(
    cli_here: CliHere, tmp_path: Path, name: str
) -> None:
    old, new, reason = LOGS[name]
    text = (OUTPUTS / "enhsp" / "output").read_text()
    assert text.count(old) == 1
    (tmp_path / "log").write_text(text.replace(old, new))
    done = cli_here("validate", *TASK, "log", "--plan-format", "auto", cwd=tmp_path)
    assert done.status == 2
    assert reason in done.out
    if name != "the plan":  # without it, the output has steps among other lines
        done = cli_here("solve", *TASK, "--planner", "x=cmd:cat log", cwd=tmp_path)
        assert (done.status, done.out) == (1, "")
        assert f"the plan is malformed: {reason.partition('1: ')[2] or reason}" in done.err
