"""Run datasets with real planners: runs resume and are stored once, every plan is judged."""

from __future__ import annotations

from pathlib import Path

from command_line import Cli
from queued_jobs import jobs_for
from store_results import read_store

from pddl_pipeline import load_records, report, solve
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.pddl_domains import domain_folder, domain_names

FERRY = domain_folder("ferry") / "examples.jsonl"
HARD = {"id": "hard", "domain": "countdown", "numbers": list(range(41, 97, 4)), "target": 987654321}


def test_run_stores_every_result_and_resumes(cli: Cli, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    arguments = (FERRY, "--planner", "lama-first", "--time-limit", "60s", "-j", "2", "-o", runs)
    first = cli("run", *arguments)
    assert first.status == 0, first.err
    assert "lama-first" in first.out
    assert first.out.endswith(f"report: {runs}/report.html\n")
    results = read_store(runs)
    assert sorted(r.id for r in results) == sorted(i.id for i in load_records(FERRY))
    assert all(r.solved and r.opinions["referee"]["status"] == "valid" for r in results)
    assert all((runs / r.log).read_text() for r in results)
    assert not list(runs.rglob("*.plan"))  # the plan is in the store; only several have files
    stored, page = (runs / "runs.jsonl").read_bytes(), (runs / "report.html").read_bytes()

    again = cli("run", *arguments)
    assert again.status == 0
    assert "5 of 5 runs were already in the store" in again.err
    assert (runs / "runs.jsonl").read_bytes() == stored
    assert (runs / "report.html").read_bytes() == page


def test_unsupported_pairs_are_results_and_not_errors(cli: Cli, tmp_path: Path) -> None:
    data, runs = domain_folder("countdown") / "examples.jsonl", tmp_path / "runs"
    assert cli("run", data, "--planner", "lama-first", "-o", runs).status == 0
    assert {str(result.outcome) for result in read_store(runs)} == {"unsupported"}
    assert [row.validated for row in report(runs).rows] == [0]


def test_default_planner_suits_the_domain() -> None:
    files = [domain_folder(name) / "examples.jsonl" for name in domain_names()]
    instances = [next(load_records(file)) for file in files]
    chosen = {job.instance.domain: job.planner for job in jobs_for(instances, (), Limits())}
    assert chosen.pop("countdown") == "enhsp"
    assert chosen.pop("budget-blocksworld") == "seq-opt-lmcut"
    assert set(chosen.values()) == {"lama-first"}
    domain = """(define (domain lamp) (:predicates (up) (lit)) (:functions (total-cost))
      (:action press :parameters () :effect
        (and (when (up) (lit)) (up) (increase (total-cost) 1))))"""
    problem = """(define (problem p) (:domain lamp) (:init) (:goal (lit))
      (:metric minimize (total-cost)))"""
    # LM-cut does not support conditional effects.
    assert solve(domain, problem).planner.name == "lama-first"
