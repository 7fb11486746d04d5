"""The table of claims on numeric domains: why a claimed plan is not valid."""

from __future__ import annotations

import csv
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from runpy import run_path

from command_line import Cli
from transition_cases import STUDIES, in_checkout

from pddl_pipeline.papers.countdown import zeros
from pddl_pipeline.papers.countdown.transition_data import read_cases, read_runs, store_file
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.given_pddl import given_instance

DOMAIN = """(define (domain tank) (:requirements :numeric-fluents) (:predicates (done))
  (:functions (level) (least))
  (:action fill :parameters () :effect (increase (level) 0.1))
  (:action stop :parameters () :precondition (>= (level) (least)) :effect (done)))"""
PROBLEM = """(define (problem p) (:domain tank) (:init (= (level) 0) (= (least) {}))
  (:goal (done)))"""
CAUSES = {
    "0.2": "",
    "0.20000000001": "decimals",  # the same 32-bit float as 0.2
    "0.200001": "tolerance",
    "0.201": "neither",
}


@in_checkout
def test_the_cause_of_a_false_claim(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    for least in CAUSES:
        (tmp_path / f"p{least}.pddl").write_text(PROBLEM.format(least))
    (tmp_path / "plan").write_text("(fill)\n(fill)\n(stop)\n")
    planner = f"mine=cmd:cp {tmp_path}/plan {{plan}}"
    cli("run", *tmp_path.glob("p*.pddl"), "--planner", planner, "-o", "store")
    script = [sys.executable, STUDIES / "numeric_claims.py", tmp_path / "store"]
    table = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(table.splitlines()))
    assert {row["instance"][1:]: row["cause"] for row in rows} == CAUSES
    assert {row["outcome"] for row in rows} == {"plan-found"}


@in_checkout
def test_the_distances_of_false_plans_end_with_their_misses() -> None:
    """The script has its own evaluator, which must agree with the validator."""
    distances = run_path(str(STUDIES / "numeric_distances.py"))["distances"]
    cases = read_cases()
    instances = {case.instance.id: case.instance for case in cases}
    for run in zeros.false_plans(read_runs(cases, store_file()))[::5]:
        problem = translate(instances[run.result.id])
        texts = problem.domain_pddl, problem.problem_pddl
        record = given_instance(run.result.id, *texts, {}).record
        valid, every = distances(record, run.result.plan)
        assert (valid, every[-1]) == (False, abs(Fraction(run.measures["miss"])))
