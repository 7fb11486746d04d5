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
INVALID = COUNTDOWN / "bad" / "not-target.plan"
MALFORMED = COUNTDOWN / "bad" / "cut.plan"


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
def test_validate_status_the_worst_wins(
    cli: Cli, plans: tuple[str | Path, ...], status: int
) -> None:
    assert cli("validate", *TASK, *plans).status == status


def test_validate_undecided_is_status_3(cli: Cli, tmp_path: Path) -> None:
    domain = TASK[0].read_text().rstrip()[:-1] + "(:durative-action wait))"
    (tmp_path / "domain.pddl").write_text(domain)
    done = cli("validate", "domain.pddl", TASK[1], GOOD)
    assert done.status == 3
    assert "Plan undecided\na durative action (domain.pddl, line 40) is not judged" in done.out


def test_validate_prints_vals_words(cli: Cli) -> None:
    assert cli("validate", *TASK, GOOD).out.splitlines() == [
        f"Checking plan: {GOOD}",
        "Plan executed successfully - checking goal",
        "Plan valid",
        "Final value: 4",
    ]
    assert cli("validate", *TASK, INVALID).out.splitlines() == [
        f"Checking plan: {INVALID}",
        "Plan failed to execute",
        "step 4 (checkgoal n1): (= (value n1) (targetvalue)) does not hold: 18 = 24 is false",
    ]
    goal_missed = cli("validate", *TASK, COUNTDOWN / "bad" / "goal-missed.plan").out
    assert "Goal not satisfied\nPlan invalid\n" in goal_missed


def test_validate_verbose_tells_each_change(cli: Cli) -> None:
    out = cli("validate", *TASK, GOOD, "-v").out
    for line in (
        "Checking next happening (time 1)",
        "Deleting (active n3)",
        "Updating (value n1) (3) by 5 increase",
        "Adding (goalreached)",
    ):
        assert f"{line}\n" in out


def test_validate_undecided_stays_undecided_with_verbosity(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "d.pddl").write_text("""(define (domain d) (:functions (f))
      (:action square :parameters () :effect (assign (f) (* (f) (f)))))""")
    (tmp_path / "p.pddl").write_text(
        "(define (problem p) (:domain d) (:init (= (f) 3)) (:goal (> (f) 0)))"
    )
    (tmp_path / "huge").write_text("(square)" * 40)
    (tmp_path / "é").write_text("(square)")
    for options in ((), ("-v",)):
        done = cli("validate", "d.pddl", "p.pddl", "huge", "é", *options)
        assert (done.status, done.out.count("Checking plan")) == (3, 2)
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = cli("validate", "d.pddl", "p.pddl", "é", env=ascii_only)
    assert (done.status, done.out.splitlines()[0]) == (0, r"Checking plan: \xe9")


def test_validate_json(cli: Cli) -> None:
    done = cli("validate", *TASK, GOOD, INVALID, MALFORMED, "--json", "--cross-check", "up")
    good, invalid, malformed = map(json.loads, done.out.splitlines())
    assert good == {
        "plan": str(GOOD),
        "status": "valid",
        "steps": 4,
        "cost": 4,
        "cost_float": 4.0,
        "failed_step": None,
        "reason": None,
        "unsatisfied": [],
        "within_budget": None,
        "opinions": {"up": {"status": "valid", "reason": None}},
        "verdict_version": VERDICT_VERSION,
    }
    assert (invalid["status"], invalid["failed_step"], invalid["cost"]) == ("invalid", 4, None)
    assert invalid["unsatisfied"] == ["(= (value n1) (targetvalue))"]
    assert invalid["opinions"]["up"]["status"] == "invalid"
    assert (malformed["status"], malformed["line"], malformed["column"]) == ("malformed", 3, 12)
    assert malformed["opinions"]["up"]["status"] == "undecided"
