"""``pddl-pipeline-val``: VAL's lines, with different exit statuses.

A file in ``val_lines`` contains the arguments, then the lines that VAL prints for them, without the
lines on type checking. A case of tests/validation with the file ``val-lines.txt`` has those for
``-v``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.cli import val_main
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli, CliHere

CASES = sorted(Path(__file__).with_name("val_lines").glob("*.txt"))
TIMED = sorted(Path(__file__).parent.with_name("validation").glob("cases/*/val-lines.txt"))
FOLDER = domain_folder("blocksworld").parent
TASK = "blocksworld/domain.pddl blocksworld/p01.pddl"
GOOD = "blocksworld/p01.plan"
GOAL_MISSED = "blocksworld/bad/goal-missed.plan"
CUT = "blocksworld/bad/cut.plan"


@pytest.fixture
def val(cli_here: CliHere) -> CliHere:
    return lambda line, cwd=FOLDER: cli_here(*line.split(), cwd=cwd, program=val_main.main)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_lines_are_those_of_val(val: CliHere, case: Path) -> None:
    arguments, _, expected = case.read_text().partition("\n")
    assert val(arguments).out.lstrip("\n") == expected


@pytest.mark.parametrize("lines", TIMED, ids=lambda lines: lines.parent.name)
def test_lines_on_timed_plans_are_those_of_val(val: CliHere, lines: Path) -> None:
    done = val("-v domain.pddl problem.pddl plan", lines.parent)
    assert done.out.lstrip("\n") == lines.read_text()


@pytest.mark.parametrize(
    ("plans", "status"),
    [
        (GOOD, 0),
        (GOAL_MISSED, 1),
        (CUT, 2),
        ("no-such.plan", 2),
        (f"{GOOD} {GOAL_MISSED} {CUT} {GOOD}", 2),
        (f"{GOAL_MISSED} " * 256, 1),
    ],
)
def test_exit_status_can_be_relied_on(cli: Cli, plans: str, status: int) -> None:
    line = f"-S {TASK} {plans}"
    assert cli(*line.split(), program="pddl-pipeline-val", cwd=FOLDER).status == status


# The arguments, and how standard error begins; nothing is printed.
MISTAKES = [
    ("", "error: found 0 files, expected a domain, a problem and"),
    ("-v", "error: found 0 files, expected a domain, a problem and"),
    (f"-Z {TASK} {GOOD}", "error: Unrecognised command line switch: -Z\n"),
    (f"-l {TASK} {GOOD}", "error: LaTeX (-l) is not supported\n"),
    (f"-t x {TASK} {GOOD}", "error: -t: found 'x', expected a number"),
    (f"-t -1 {TASK} {GOOD}", "error: -t: found '-1', expected"),
    ("blocksworld/domain.pddl", ""),
    (f"blocksworld/domain.pddl {CUT} {GOOD}", f"Problem in problem specification!\nerror: {CUT}:"),
    (f"{CUT} {CUT} {GOOD}", "Problem in domain definition!\n"),
]


@pytest.mark.parametrize(("line", "error"), MISTAKES)
def test_mistakes_have_status_2(val: CliHere, line: str, error: str) -> None:
    done = val(line)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(error)


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
SQUARE = """(define (domain d) (:functions (f)) (:predicates (p))
  (:action square :parameters () :effect (assign (f) (* (f) (f))))
  (:action more :parameters () :effect (and (increase (f) 1) (increase (f) 2))))
"""
ONE_MORE = "(define (problem p) (:domain d) (:init (= (f) 3)) (:goal (> (f) 3)) (:metric {} (f)))"
STEPS = [line for line in (FOLDER / GOOD).read_text().splitlines() if line.startswith("(")]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with two tasks, and plans for them and for the task of blocksworld."""
    texts = {
        "effects": EFFECTS,
        "effect": "(define (problem i) (:domain d) (:init (= (f) 1) (r a)) (:goal (q a)))",
        "a": "(a)",
        "square": SQUARE,
        "minimize": ONE_MORE.format("minimize"),
        "maximize": ONE_MORE.format("maximize"),
        "six": "(more)",
        "nine": "(square)",
        "huge": "(square)" * 40,
        "arity": (FOLDER / "blocksworld" / "bad" / "wrong-arity.plan").read_text(),
        "good": "\n".join(STEPS),
        "fails": "\n".join(["(put-down b1)", *STEPS]),
        "stamped": "\n".join(f"{number}: {step}" for number, step in enumerate(STEPS)),
        "cut": "0: (stack)\n1: (",
        "together": "0: (unstack b3 b2)\n0: (pick-up b1)\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "blocksworld").symlink_to(FOLDER / "blocksworld")
    return tmp_path


UPDATES = "Updating (f) (3) by 1 increase\nUpdating (f) (4) by 2 increase\n"
UNDECIDED = "Queries (validator failed):\n huge \n"
ADVICE = "Plan Repair Advice:\n\nThe goal is not satisfied\n(Follow each of:\n"
TOGETHER = "Plan size: 1\n0:\n(unstack b3 b2)\n(pick-up b1)\n \n\n"
FIRST_FAILS = "Error Report:\n(put-down b3) fails at time 1: (holding b3) does not hold\n"
MISSING = f"-e {TASK} blocksworld/bad/first-step-missing.plan"
# The arguments, the status, and a part of the output.
PARTS = [
    # A plan that VAL crashes on is a bad plan.
    (f"{TASK} arity good", 2, "Bad plan description!\nChecking plan: good\n"),
    (f"{TASK} arity good", 2, "Plan valid\n"),
    # VAL merges steps that are 0.001 apart by default; this program only with -t.
    (f"{TASK} stamped", 0, "Plan valid"),
    (f"-t 9.99 {TASK} stamped", 0, "Plan valid"),
    (f"-t 10 {TASK} stamped", 1, ""),
    (f"-t 10 {TASK} cut", 2, "Bad plan description!\n"),
    # Every failure is reported, and a failed step is remembered.
    (MISSING, 1, FIRST_FAILS),
    (MISSING, 1, "(pick-up b2) fails at time 2: (clear b2) does not hold\n"),
    (MISSING, 1, "Plan failed to execute - checking goal"),
    (f"-c {TASK} fails", 1, "Plan failed to execute"),
    # Plain effects come before conditional, numeric and universal ones; objects are sorted.
    ("-v effects effect a", 0, CHANGES),
    ("-v square minimize six", 0, UPDATES),
    # Valid plans are ranked by the metric.
    ("square minimize six nine", 0, "Value: 6\n six 6 \n\nValue: 9\n nine 9 "),
    ("square maximize six nine", 0, "Value: 9\n nine 9 \n\nValue: 6\n six 6 "),
    # What is not judged is a query, whatever the options.
    *((f"{option} square minimize huge six", 3, UNDECIDED) for option in ("", "-v", "-c", "-e")),
    ("square minimize huge six", 3, "Plan valid\n"),
    # Advice without verbosity.
    (f"-e {TASK} blocksworld/bad/empty.plan", 1, ADVICE),
    (f"-v {TASK} together", 1, TOGETHER),
    (f"-v {TASK} together", 1, "(pick-up b1): step 1 (unstack b3 b2) "),
    ("-h", 0, "Usage: pddl-pipeline-val"),
]


@pytest.mark.parametrize(("line", "status", "part"), PARTS)
def test_status_and_a_part_of_the_output(
    val: CliHere, files: Path, line: str, status: int, part: str
) -> None:
    done = val(line, files)
    assert done.status == status
    assert part in done.out
    assert ("Checking next happening" in done.out) == ("-v" in line.split())
    assert "Plan valid" not in done.out or "fails" not in line


def test_warnings_on_effects_are_those_of_val(val: CliHere, files: Path) -> None:
    out = val("-v effects effect a", files).out
    warnings = [line for line in out.splitlines(keepends=True) if line.startswith("WARNING")]
    assert "".join(sorted(warnings)) == WARNINGS
