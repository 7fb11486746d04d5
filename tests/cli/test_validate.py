"""`validate`: its lines, its exit statuses and its JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.validation.version import VERDICT_VERSION

if TYPE_CHECKING:
    from command_line import Cli

COUNTDOWN = domain_folder("countdown")
TASK = (COUNTDOWN / "domain.pddl", COUNTDOWN / "p01.pddl")
GOOD = COUNTDOWN / "p01.plan"
INVALID, MISSED, MALFORMED = (
    COUNTDOWN / "bad" / f"{name}.plan" for name in ("not-target", "goal-missed", "cut")
)
GOOD_LINES = f"""Checking plan: {GOOD}
Plan executed successfully - checking goal
Plan valid
Final value: 4
"""
INVALID_LINES = f"""Checking plan: {INVALID}
Plan failed to execute
step 4 (checkgoal n1): (= (value n1) (targetvalue)) does not hold: 18 = 24 is false
"""
SQUARE = """(define (domain d) (:functions (f))
  (:action square :parameters () :effect (assign (f) (* (f) (f))))
  (:process wait :effect (assign (f) #t)))"""
THREE = "(define (problem p) (:domain d) (:init (= (f) 3)) (:goal (> (f) 0)))"


@pytest.mark.parametrize(
    ("plans", "status"),
    [
        ((GOOD,), 0),
        ((GOOD, GOOD), 0),
        ((INVALID,), 1),
        ((GOOD, INVALID), 1),
        ((MALFORMED,), 2),
        ((INVALID, MALFORMED, GOOD), 2),
        (("no.plan", GOOD), 2),
    ],
)
def test_the_worst_status_wins(cli: Cli, plans: tuple[str | Path, ...], status: int) -> None:
    assert cli("validate", *TASK, *plans).status == status


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((GOOD,), GOOD_LINES),
        ((INVALID,), INVALID_LINES),
        ((MISSED,), "Goal not satisfied\nPlan invalid\n"),
        ((GOOD, "-v"), "Checking next happening (time 1)\n"),
        ((GOOD, "-v"), "Deleting (active n3)\n"),
        ((GOOD, "-v"), "Updating (value n1) (3) by 5 increase\n"),
        ((GOOD, "-v"), "Adding (goalreached)\n"),
    ],
)
def test_the_words_are_vals(cli: Cli, arguments: tuple[str | Path, ...], text: str) -> None:
    out = cli("validate", *TASK, *arguments).out
    assert out.startswith(text) if text.startswith("Checking plan") else text in out


def test_undecided_is_status_3_and_stays_undecided_with_verbosity(cli: Cli, tmp_path: Path) -> None:
    texts = {"d.pddl": SQUARE, "p.pddl": THREE, "huge": "(square)" * 40, "é": "(square)"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    line = ("validate", "d.pddl", "p.pddl", "huge", "é")
    for options in ((), ("-v",)):
        done = cli(*line, *options)
        assert (done.status, done.out.count("Checking plan")) == (3, 2)
        assert (
            "Plan undecided\nthe continuous effect (assign (f) #t) (d.pddl, line 3) is not"
            in done.out
        )
    done = cli(*line, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.status, r"Checking plan: \xe9" in done.out) == (3, True)


def test_json(cli: Cli) -> None:
    done = cli("validate", *TASK, GOOD, INVALID, MALFORMED, "--json", "--cross-check", "up")
    good, invalid, malformed = map(json.loads, done.out.splitlines())
    assert good == {
        "plan": str(GOOD),
        "status": "valid",
        "steps": 4,
        "cost": 4,
        "cost_float": 4.0,
        "failed_step": None,
        "line": None,
        "column": None,
        "code": None,
        "reason": None,
        "unsatisfied": [],
        "within_budget": None,
        "opinions": {"up": {"status": "valid", "reason": None}},
        "verdict_version": VERDICT_VERSION,
        "warnings": [],
    }
    assert (invalid["status"], invalid["failed_step"], invalid["cost"]) == ("invalid", 4, None)
    assert invalid["unsatisfied"] == ["(= (value n1) (targetvalue))"]
    assert invalid["opinions"]["up"]["status"] == "invalid"
    assert (malformed["status"], malformed["line"], malformed["column"]) == ("malformed", 3, 12)
    assert malformed["opinions"]["up"]["status"] == "undecided"
    assert [each["code"] for each in (invalid, malformed)] == ["precondition", "unreadable"]


def test_a_verdict_has_the_line_of_the_failed_step(cli: Cli, tmp_path: Path) -> None:
    blocks = domain_folder("blocksworld")
    task = (blocks / "domain.pddl", blocks / "p01.pddl")
    (tmp_path / "plan").write_text("; by hand\n\n  (pick-up b2)\n(pick-up b2)\n")
    done = cli("validate", *task, "plan", "--json")
    verdict = json.loads(done.out)
    place = [verdict[name] for name in ("plan", "line", "column", "failed_step", "code")]
    assert place == ["plan", 3, 3, 1, "precondition"]
    assert "\nplan:3: step 1 (pick-up b2): (clear b2) " in cli("validate", *task, "plan").out
    (tmp_path / "log").write_text("\nstep    0: PICK-UP B2\n")
    verdict = json.loads(cli("validate", *task, "log", "--json", "--plan-format", "ff").out)
    assert (verdict["failed_step"], verdict["line"]) == (1, None)


def test_what_cannot_be_read_is_an_object_with_its_code(cli: Cli, tmp_path: Path) -> None:
    blocks = domain_folder("blocksworld")
    domain, problem = blocks / "domain.pddl", blocks / "p01.pddl"
    done = cli("validate", domain, problem, "none.plan", blocks / "p01.plan", "--json")
    missing, valid = map(json.loads, done.out.splitlines())
    assert (missing["plan"], missing["status"], missing["code"]) == ("none.plan", "error", "file")
    assert (valid["status"], done.status) == ("valid", 2)
    (tmp_path / "p").write_text(problem.read_text().replace("(clear b3)", "\n(clear b9)", 1))
    done = cli("validate", domain, "p", blocks / "p01.plan", "--json")
    error = json.loads(done.out)
    assert (error["file"], error["column"], error["code"]) == ("p", 8, "unknown-object")
    assert done.err.startswith(f"error: p:{error['line']}:8: unknown object 'b9'")
    assert done.status == 2
