"""Plans in the case of the PDDL texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CliHere

from pddl_pipeline.model.problem import Problem
from pddl_pipeline.validation.spelling import with_spelling

DOMAIN = """; (:action MOVE is named elsewhere
(define (domain Rooms)
  (:requirements :typing)
  (:types Room Ball - object)
  (:constants Hall - Room ; (:objects HALL)
  )
  (:predicates (at ?x - Ball ?r - Room) (move ?r - Room) (robot ?r - Room))
  (:action Move :parameters (?a ?b - Room) :precondition (robot ?a)
   :effect (and (robot ?b) (not (robot ?a))))
  ( :ACTION push-Ball :parameters (?x - Ball ?a ?b - Room)
   :precondition (and (at ?x ?a) (robot ?a))
   :effect (and (at ?x ?b) (not (at ?x ?a)) (robot ?b) (not (robot ?a)))))
"""
# `ROOM` and `ball` are objects, `Room` and `Ball` their types.
PROBLEM = """(define (problem p) (:domain rooms)
  (:objects ROOM - Room ball Red - Ball small - Room)
  (:init (robot hall) (at RED hall)) (:goal (at red room)))
"""
TASK = Problem(DOMAIN, PROBLEM)
PLAN = "(push-Ball Red Hall ROOM)\n"


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ("(push-ball red hall room)\n", PLAN),
        ("(PUSH-BALL RED HALL ROOM)\n", PLAN),
        (PLAN, PLAN),
        ("(MOVE HALL SMALL)\n(move Small Hall)", "(Move Hall small)\n(Move small Hall)"),
        ("0.5: ( MOVE\tHALL  room ) [1.0]\n", "0.5: ( Move\tHall  ROOM ) [1.0]\n"),
        # Unknown names and other text stay as they are.
        ("(FLY BALL Moon) MOVE ; HALL\n", "(FLY ball Moon) MOVE ; HALL\n"),
        ("", ""),
    ],
)
def test_names_have_the_case_of_their_declaration(plan: str, expected: str) -> None:
    assert with_spelling(plan, TASK) == expected


def test_types_are_not_taken_for_objects() -> None:
    facts = PROBLEM.replace("- Ball small", "- (either BALL Ball) small").replace("small", "sMall")
    plan = "(push-ball BALL HALL SMALL)"
    assert with_spelling(plan, Problem(DOMAIN, facts)) == "(push-Ball ball Hall sMall)"
    assert with_spelling(plan, Problem(DOMAIN.lower(), facts.lower())) == plan.lower()


@pytest.mark.parametrize("command", ["echo 'step 0: PUSH-BALL RED HALL ROOM'", "fast-downward"])
def test_plans_are_stored_and_printed_in_the_case_of_the_task(
    cli_here: CliHere, tmp_path: Path, command: str
) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(PROBLEM)
    planner = "lama-first" if command == "fast-downward" else f"mine=cmd:{command}"
    done = cli_here("solve", "domain.pddl", "p.pddl", "--planner", planner, cwd=tmp_path)
    assert done.status == 0, done.err
    assert done.out == f"{PLAN}; cost = 1\n"
    done = cli_here("run", "p.pddl", "--planner", planner, "-o", "r", cwd=tmp_path)
    assert done.status == 0, done.err
    (line,) = (tmp_path / "r" / "runs.jsonl").read_text().splitlines()
    assert (json.loads(line)["plan"], json.loads(line)["status"]) == ([PLAN.strip()], "valid")
