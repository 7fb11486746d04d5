"""Other validators: their opinions are stored, and a contradiction makes a verdict disputed."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import write_script
from places import SUPPORT

from pddl_pipeline import read_task
from pddl_pipeline.integrations.up_opinion import UnifiedPlanning
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.verdict import Opinion, Status, Verdict
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.validation.opinions import open_validators, with_opinions
from pddl_pipeline.validation.task import Task

if TYPE_CHECKING:
    from command_line import Cli

BLOCKS = domain_folder("blocksworld")
FILES = (BLOCKS / "domain.pddl", BLOCKS / "p01.pddl")
GOOD, GOAL_MISSED = BLOCKS / "p01.plan", BLOCKS / "bad" / "goal-missed.plan"


def val_that(folder: Path, script: str) -> dict[str, str]:
    """Put a program with VAL's name on the search path; return the environment."""
    program = folder / "Validate"
    write_script(program, f"#!/bin/sh\n{script}\n")
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


SAYS_VALID = "echo 'Plan valid'; echo 'Final value: {} '"
GOAL, STEP, BAD = "Goal not satisfied", "Plan failed to execute", "Bad plan description!"


@pytest.mark.parametrize(
    ("script", "plan", "status", "opinion", "reason"),
    [
        (SAYS_VALID.format(6), GOOD, "valid", "valid", None),
        (SAYS_VALID.format(7), GOOD, "disputed", "valid", None),
        (SAYS_VALID.format(6), GOAL_MISSED, "disputed", "valid", None),
        (f"echo '{GOAL}'; exit 0", GOAL_MISSED, "invalid", "invalid", "goal not satisfied"),
        (f"echo '{STEP}'; exit 1", GOOD, "disputed", "invalid", "plan failed to execute"),
        (f"echo '{BAD}'; exit 0", GOOD, "disputed", "malformed", "bad plan description"),
        ("exit 0", GOOD, "valid", "undecided", "no verdict"),
        ("kill -SEGV $$", GOOD, "valid", "undecided", "ended by signal 11"),
        ("echo 'Bad file!' >&2; exit 255", GOOD, "valid", "undecided", "no verdict: Bad file!"),
    ],
)  # fmt: skip
def test_val_is_judged_by_what_it_prints(
    cli: Cli, tmp_path: Path, script: str, plan: Path, status: str, opinion: str, reason: str | None
) -> None:
    environment = val_that(tmp_path, script)
    done = cli("validate", *FILES, plan, "--cross-check", "val", "--json", env=environment)
    answer = json.loads(done.out)
    assert answer["status"] == status
    assert answer["opinions"] == {"val": {"status": opinion, "reason": reason}}
    assert done.status == {"valid": 0, "invalid": 1, "disputed": 3}[status]


TRAP = {
    "domain": """(define (domain d) (:requirements :numeric-fluents) (:functions (x) (y))
  (:action add :parameters () :effect (increase (x) (y))))""",
    "problem": """(define (problem p) (:domain d)
  (:init (= (x) 9007199254740992) (= (y) 1)) (:goal (= (x) 9007199254740992)))""",
}


@pytest.mark.parametrize(
    ("plan", "status", "opinion", "reason"),
    [
        ("", "valid", "valid", None),
        # Kairos computes with doubles, in which 2^53 + 1 is 2^53.
        ("(add)\n", "disputed", "valid", None),
        ("(ad)\n", "malformed", "invalid", "step 1 (ad) at 0.000: the domain has no action 'ad'"),
        ("(add\n", "malformed", "malformed", "missing ')' closing the action"),
    ],
)
def test_kairos_is_judged_by_its_status(
    cli: Cli, tmp_path: Path, plan: str, status: str, opinion: str, reason: str | None
) -> None:
    for name, text in {**TRAP, "plan": plan}.items():
        (tmp_path / name).write_text(text)
    done = cli("validate", "domain", "problem", "plan", "--cross-check", "kairos", "--json")
    answer = json.loads(done.out)
    assert answer["status"] == status
    assert answer["opinions"]["kairos"]["status"] == opinion
    assert (answer["opinions"]["kairos"]["reason"] or "").startswith(reason or "")


def test_kairos_does_not_judge_a_problem_that_it_cannot_read(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "domain").write_text("(define (domain d) (:types a - a) (:predicates (p)))")
    (tmp_path / "problem").write_text("(define (problem p) (:domain d) (:init (p)) (:goal (p)))")
    (tmp_path / "plan").touch()
    done = cli("validate", "domain", "problem", "plan", "--cross-check", "kairos", "--json")
    answer = json.loads(done.out)
    assert (answer["status"], answer["opinions"]["kairos"]["status"]) == ("valid", "undecided")
    assert "is its own ancestor" in answer["opinions"]["kairos"]["reason"]


def test_val_gets_the_files_as_they_are(cli: Cli, tmp_path: Path) -> None:
    script = f'cat "$3" > {tmp_path / "seen"}; {SAYS_VALID.format(6)}'
    plan = tmp_path / "odd.plan"
    plan.write_bytes(GOOD.read_bytes().replace(b"\n", b"\r\n") + b"; caf\xc3\xa9")
    environment = val_that(tmp_path, script)
    assert cli("validate", *FILES, plan, "--cross-check", "val", env=environment).status == 0
    assert (tmp_path / "seen").read_bytes() == plan.read_bytes()


@pytest.mark.parametrize(
    ("tolerances", "opinion"),
    [
        ("0.0001", "val: valid (with -t 0.0001)"),
        ("0.001|0.01", "val: valid (with -t 0.001)"),
        ("0.01", "val: valid (with -t 0.01)"),
        ("none", "val: invalid (plan failed to execute, with -t 0.0001, 0.001, 0.01)"),
    ],
)
def test_val_agrees_if_it_does_with_one_tolerance(
    cli: Cli, tmp_path: Path, tolerances: str, opinion: str
) -> None:
    script = f"case $2 in {tolerances}) echo 'Plan valid';; *) echo '{STEP}';; esac"
    environment = val_that(tmp_path, script)
    files = [SUPPORT / "foreign_pddl/satellite" / file.name for file in FILES]
    plan = files[0].with_name("good.plan")
    done = cli("validate", *files, plan, "--cross-check", "val", env=environment)
    assert opinion in done.out
    assert done.status == (3 if tolerances == "none" else 0)


def test_values_of_rounded_durations_are_not_compared(cli: Cli, tmp_path: Path) -> None:
    """VAL's effects use the printed duration, ours the exact one."""
    (tmp_path / "domain").write_text(
        "(define (domain d) (:requirements :durative-actions :numeric-fluents) (:predicates (p)) "
        "(:functions (f)) (:durative-action go :parameters () :duration (= ?duration (/ 2 3)) "
        ":condition () :effect (and (at end (p)) (at end (increase (f) ?duration)))))"
    )
    (tmp_path / "problem").write_text(
        "(define (problem q) (:domain d) (:init (= (f) 0)) (:goal (p)) (:metric minimize (f)))"
    )
    environment = val_that(tmp_path, "echo 'Plan valid'; echo 'Final value: 0.667 '")
    for duration, status in {"0.667": 0, "0.66666666666666666": 0, "0.67": 3}.items():
        (tmp_path / "plan").write_text(f"0: (go) [{duration}]\n")
        done = cli("validate", "domain", "problem", "plan", "--cross-check", "val", env=environment)
        assert done.status == status


def test_val_that_is_not_installed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EngineError, match="'Validate' is not on the search path"):
        open_validators(["val"], "", "", read_task(*FILES))


BUDGET = domain_folder("budget-blocksworld")


@pytest.mark.parametrize(
    ("folder", "old", "new", "difference"),
    [
        (BLOCKS, "(ontable b1)", "", "initial facts: only in the task (ontable b1), only in"),
        (BLOCKS, "b2 b3)", "b2 b3 b9)", "objects: only in the task none, only in Unified Plan"),
        (BUDGET, "action put-down", "action lay-down", "actions: only in the task (put"),
        (BUDGET, "(= (stack-cost) ", "(= (stack-cost) 1", "initial values: only in the task"),
    ],
)  # fmt: skip
def test_unified_planning_must_have_read_the_same_problem(
    folder: Path, old: str, new: str, difference: str
) -> None:
    texts = [(folder / name).read_text() for name in ("domain.pddl", "p01.pddl")]
    plan, task = (folder / "p01.plan").read_text(), read_task(*texts)
    assert UnifiedPlanning(*texts, task).judge(plan).status is Status.VALID
    theirs = [text.replace(old, new, 1) for text in texts]
    assert theirs != texts
    other = Task(task.vocabulary, task.facts, (theirs[0], theirs[1]))
    opinion = UnifiedPlanning(*theirs, other).judge(plan)
    assert opinion.status is Status.DISPUTED
    assert str(opinion.reason).startswith(f"reads a different problem: {difference}")
    disputed = with_opinions(task.judge(plan), {"up": opinion})
    assert disputed.status is Status.DISPUTED
    assert "); up: disputed (reads a different problem" in str(disputed.reason)


def test_total_cost_that_is_not_written_is_no_difference() -> None:
    domain, problem = ((BUDGET / name).read_text() for name in ("domain.pddl", "p01.pddl"))
    assert "(= (total-cost) 0)" in problem
    problem = problem.replace("(= (total-cost) 0)", "")
    task = read_task(domain, problem)
    opinion = UnifiedPlanning(domain, problem, task).judge((BUDGET / "p01.plan").read_text())
    assert opinion.status is not Status.DISPUTED


def test_unified_planning_is_not_asked_about_steps_at_the_same_time() -> None:
    other = UnifiedPlanning(*(file.read_text() for file in FILES), read_task(*FILES))
    stamped = "0: (unstack b3 b2)\n0: (put-down b3)\n"
    expected = Opinion(Status.UNDECIDED, "does not support steps at the same time")
    assert other.judge(stamped) == expected
    assert other.judge(stamped.replace("0: (put", "1: (put")).status is Status.INVALID


THIRD, LARGE = Fraction(1, 3), 12345678901234


@pytest.mark.parametrize(
    ("ours", "cost", "opinion", "theirs", "together"),
    [
        # Costs agree to ten digits.
        ("valid", THIRD, "valid", Fraction("0.3333333333"), "valid"),
        ("valid", THIRD, "valid", Fraction("0.33333"), "disputed"),
        ("valid", LARGE, "valid", 12345678900000, "valid"),
        ("valid", LARGE, "valid", 12345000000000, "disputed"),
        ("malformed", None, "valid", None, "disputed"),
        # An undecided opinion contradicts nothing.
        *((each, None, "undecided", None, each) for each in ("valid", "invalid", "malformed")),
    ],
)
def test_opinions_that_differ_make_a_verdict_disputed(
    ours: str, cost: Number | None, opinion: str, theirs: Number | None, together: str
) -> None:
    earlier = Verdict(Status(ours), cost=cost).with_opinion("referee", Opinion(Status(ours)))
    found = with_opinions(earlier, {"up": Opinion(Status(opinion), cost=theirs)})
    assert (found.status, {*found.opinions}) == (together, {"referee", "up"})


def test_tolerance_stands_beside_the_exact_verdict(cli: Cli, tmp_path: Path) -> None:
    """A case of the corpus: VAL lets countdown divide by zero, since 0 > 0 within tolerance."""
    folder = domain_folder("countdown")
    problem = (folder / "p01.pddl").read_text()
    (tmp_path / "p.pddl").write_text(problem.replace("(= (value n2) 4)", "(= (value n2) 0)"))
    (tmp_path / "plan").write_text("(divide n1 n2)")
    arguments = ("validate", folder / "domain.pddl", "p.pddl", "plan")
    answer = json.loads(cli(*arguments, "--tolerance", "1e-4", "--json").out)
    assert answer["reason"].endswith("(> (value n2) 0) does not hold: 0 > 0 is false")
    assert answer["opinions"]["tolerance"] == {
        "status": "invalid",
        "reason": "step 1 (divide n1 n2): division by zero",
    }
    assert cli(*arguments, "--tolerance", "-1").status == 2
    assert "expected a number such as 1e-4" in cli(*arguments, "--tolerance", "1e99999").err
