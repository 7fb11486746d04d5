"""``pddl-pipeline-val``: VAL's lines, with different exit statuses.

A file in ``val_lines`` contains the arguments, then the lines that VAL prints for them, without the
lines on type checking.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli, Done

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
    for options in ((), ("-v",)):  # status 0 would say that all plans are valid
        nothing = val(*options)
        assert (nothing.status, nothing.out) == (2, "")
        assert nothing.err.startswith("error: found no files, expected a domain, a problem and")
    unknown = val("-Z", *TASK, GOOD)
    assert (unknown.status, unknown.out) == (2, "")
    assert unknown.err == "error: Unrecognised command line switch: -Z\n"
    assert val("-l", *TASK, GOOD).err == "error: LaTeX (-l) is not supported\n"
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
    """VAL merges steps that are 0.001 apart by default; this program only with -t."""
    steps = (FOLDER / GOOD).read_text().splitlines()
    plan = tmp_path / "stamped.plan"
    lines = (f"{n}: {step}" for n, step in enumerate(steps) if step.startswith("("))
    plan.write_text("\n".join(lines))
    assert val(*TASK, plan).status == 0
    assert val("-t", "0.01", *TASK, plan).status == 0
    assert val("-t", "9.99", *TASK, plan).status == 0
    assert val("-t", "10", *TASK, plan).status == 1
    assert val("-t", "-1", *TASK, plan).status == 2
    plan.write_text("0: (stack)\n1: (")
    assert val("-t", "10", *TASK, plan).err == (
        f"error: {plan}:2:5: found the end of the text, expected the action's name\n"
    )


def test_continue_reports_every_failure(val: Cli) -> None:
    done = val("-e", *TASK, "blocksworld/bad/first-step-missing.plan")
    report = done.out.split("Error Report:\n")[1]
    assert report.startswith("(put-down b3) fails at time 1: (holding b3) does not hold\n")
    assert "(pick-up b2) fails at time 2: (clear b2) does not hold\n" in report
    assert "Plan failed to execute - checking goal" in done.out


def test_continue_remembers_a_failed_step(val: Cli, tmp_path: Path) -> None:
    plan = tmp_path / "first-fails.plan"
    plan.write_text("(put-down b1)\n" + (FOLDER / GOOD).read_text())
    done = val("-c", *TASK, plan)
    assert done.status == 1
    assert "Plan valid" not in done.out


EFFECTS = """(define (domain d) (:requirements :adl :fluents) (:constants c a b)
  (:predicates (p) (q ?x) (r ?x)) (:functions (f))
  (:action a :parameters () :precondition ()
   :effect (and (forall (?x) (and (q ?x) (not (r ?x)))) (increase (f) 1)
    (when (not (p)) (and (q b) (increase (f) 2) (not (r a)))) (p) (not (q c)) (not (p)))))
"""
CHANGES = """Deleting (q c)
Deleting (p)
Deleting (r a)
Deleting (r a)
Deleting (r b)
Deleting (r c)
Adding (p)
Adding (q b)
Adding (q a)
Adding (q b)
Adding (q c)
Updating (f) (1) by 2 increase
Updating (f) (3) by 1 increase
Plan executed successfully - checking goal
"""
WARNINGS = """WARNING: (a) adds and deletes the literal (p)
WARNING: (a) adds and deletes the literal (q c)
WARNING: (a) adds the literal (q b) twice
WARNING: (a) assigns to expression (f)twice
WARNING: (a) deletes the literal (r a) twice
"""


def test_changes_are_in_the_order_of_val(val: Cli, tmp_path: Path) -> None:
    """Plain effects come before conditional, numeric and universal ones; objects are sorted."""
    files = [tmp_path / name for name in ("domain.pddl", "problem.pddl", "plan")]
    problem = "(define (problem i) (:domain d) (:init (= (f) 1) (r a)) (:goal (q a)))"
    for file, text in zip(files, (EFFECTS, problem, "(a)"), strict=True):
        file.write_text(text)
    out = val("-v", *files).out
    assert CHANGES in out
    warnings = [line for line in out.splitlines(keepends=True) if line.startswith("WARNING")]
    assert "".join(sorted(warnings)) == WARNINGS


SQUARE = """(define (domain d) (:functions (f)) (:predicates (p))
  (:action square :parameters () :effect (assign (f) (* (f) (f))))
  (:action more :parameters () :effect (and (increase (f) 1) (increase (f) 2))))
"""
ONE_MORE = """(define (problem p) (:domain d) (:init (= (f) 3)) (:goal (> (f) 3)) {})
"""


@pytest.fixture
def numbers(tmp_path: Path) -> tuple[Path, Path]:
    """Plans of increasing cost: 6, 9, then one that is undecided."""
    (tmp_path / "domain.pddl").write_text(SQUARE)
    (tmp_path / "six").write_text("(more)")
    (tmp_path / "nine").write_text("(square)")
    (tmp_path / "huge").write_text("(square)" * 40)
    (tmp_path / "missed").write_text("")
    return tmp_path / "domain.pddl", tmp_path / "problem.pddl"


@pytest.mark.parametrize(
    ("metric", "order"),
    [("(:metric minimize (f))", ["6", "9"]), ("(:metric maximize (f))", ["9", "6"])],
)
def test_valid_plans_are_ranked_by_the_metric(
    val: Cli, numbers: tuple[Path, Path], metric: str, order: list[str]
) -> None:
    domain, problem = numbers
    problem.write_text(ONE_MORE.format(metric))
    done = val(domain, problem, domain.parent / "six", domain.parent / "nine")
    values = [line.split()[1] for line in done.out.splitlines() if line.startswith("Value: ")]
    assert values == order


@pytest.mark.parametrize("options", [(), ("-v",), ("-c",), ("-e",)])
def test_what_is_not_judged_is_a_query_whatever_the_options(
    val: Cli, numbers: tuple[Path, Path], options: tuple[str, ...]
) -> None:
    domain, problem = numbers
    problem.write_text(ONE_MORE.format(""))
    huge, six = domain.parent / "huge", domain.parent / "six"
    done = val(*options, domain, problem, huge, six)
    assert done.status == 3
    assert f"Queries (validator failed):\n {huge} \n" in done.out
    assert "Plan valid\n" in done.out


def test_several_updates_of_one_fluent_show_the_running_value(
    val: Cli, numbers: tuple[Path, Path]
) -> None:
    domain, problem = numbers
    problem.write_text(ONE_MORE.format(""))
    out = val("-v", domain, problem, domain.parent / "six").out
    assert "Updating (f) (3) by 1 increase\nUpdating (f) (4) by 2 increase\n" in out


def test_error_report_gives_advice_without_verbosity(val: Cli) -> None:
    out = val("-e", *TASK, "blocksworld/bad/empty.plan").out
    assert "Plan Repair Advice:\n\nThe goal is not satisfied\n(Follow each of:\n" in out
    assert "Checking next happening" not in out


def test_steps_at_one_time_are_listed_together(val: Cli, tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    plan.write_text("0: (unstack b3 b2)\n0: (pick-up b1)\n")
    out = val("-v", *TASK, plan).out
    assert "Plan size: 1\n0:\n(unstack b3 b2)\n(pick-up b1)\n \n\n" in out
    assert "(pick-up b1): steps 1 and 2 at the same time interfere over" in out
