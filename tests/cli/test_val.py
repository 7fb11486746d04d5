"""``pddl-pipeline-val``: the lines are VAL's, the exit statuses are not.

A file of ``val_lines`` holds the arguments and then what VAL prints for them, without its lines on
type checking.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from conftest import Cli, Done

CASES = sorted(Path(__file__).with_name("val_lines").glob("*.txt"))
FOLDER = domain_folder("blocksworld").parent
TASK = ("blocksworld/domain.pddl", "blocksworld/p01.pddl")
GOOD = "blocksworld/p01.plan"
GOAL_MISSED = "blocksworld/bad/goal-missed.plan"
CUT = "blocksworld/bad/cut.plan"


@pytest.fixture
def val(cli: Cli) -> Cli:
    def run(*arguments: str | Path) -> Done:
        return cli(*arguments, program="pddl-pipeline-val", cwd=FOLDER)

    return run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_lines_are_those_of_val(val: Cli, case: Path) -> None:
    arguments, _, expected = case.read_text().partition("\n")
    assert val(*arguments.split()).out.lstrip("\n") == expected


@pytest.mark.parametrize(
    ("plans", "status"),
    [
        ([GOOD], 0),
        ([GOAL_MISSED], 1),
        ([CUT], 2),
        (["no-such.plan"], 2),
        ([GOOD, GOAL_MISSED, CUT, GOOD], 2),
        ([GOAL_MISSED] * 256, 1),
    ],
)
def test_exit_status_can_be_relied_on(val: Cli, plans: list[str], status: int) -> None:
    assert val("-S", *TASK, *plans).status == status


def test_a_plan_that_val_crashes_on_is_a_bad_plan(val: Cli) -> None:
    done = val(*TASK, "blocksworld/bad/wrong-arity.plan", GOOD)
    assert "Bad plan description!\nChecking plan: blocksworld/p01.plan\n" in done.out
    assert "Plan valid\n" in done.out
    assert "'stack' takes 2 arguments" in done.err


def test_switches(val: Cli) -> None:
    assert "Usage: pddl-pipeline-val" in val("-h").out
    assert "Usage: pddl-pipeline-val" in val().out
    unknown = val("-Z", *TASK, GOOD)
    assert (unknown.status, unknown.out) == (2, "")
    assert unknown.err == "error: Unrecognised command line switch: -Z\n"
    assert val("-l", *TASK, GOOD).err == "error: LaTeX (-l) is not offered\n"
    assert val("-t", "x", *TASK, GOOD).err.startswith("error: -t: found 'x', expected a number")
    assert val(TASK[0]).status == 2


def test_problem_that_cannot_be_read(val: Cli, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pddl"
    broken.write_text("(define (problem p)")
    done = val(TASK[0], broken, GOOD)
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines()[0] == "Problem in problem specification!"
    assert f"{broken}:1:1: found '(' without its ')'" in done.err
    assert val(broken, broken, GOOD).err.startswith("Problem in domain definition!\n")


def test_tolerance_of_time_stamps(val: Cli, tmp_path: Path) -> None:
    """VAL's default puts steps together that are 0.001 apart; here only -t does."""
    steps = (FOLDER / GOOD).read_text().splitlines()
    plan = tmp_path / "stamped.plan"
    lines = (f"{n}: {step}" for n, step in enumerate(steps) if step.startswith("("))
    plan.write_text("\n".join(lines))
    assert val(*TASK, plan).status == 0
    assert val("-t", "0.01", *TASK, plan).status == 0
    assert val("-t", "20", *TASK, plan).status == 1


def test_continue_reports_every_failure(val: Cli) -> None:
    done = val("-e", *TASK, "blocksworld/bad/first-step-missing.plan")
    report = done.out.split("Error Report:\n")[1]
    assert report.startswith("(put-down b3) fails at time 1: (holding b3) does not hold\n")
    assert "(pick-up b2) fails at time 2: (clear b2) does not hold\n" in report
    assert "Plan failed to execute - checking goal" in done.out
