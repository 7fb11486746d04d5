"""Verdicts in continuous time, beside a second evaluator that integrates with small steps."""

from __future__ import annotations

import pytest
from hybrid_by_hand import HYBRIDS, Hybrid, Run, Unclear
from hypothesis import given, settings

from pddl_pipeline import read_task


def check(task: Hybrid) -> None:
    domain, problem, plan = task.texts()
    verdict = read_task(domain, problem).judge(plan)
    try:
        expected = Run(task).verdict()
    except Unclear:
        return
    if "roots of too many polynomials" in (verdict.reason or ""):
        return
    assert (verdict.status, verdict.failed_step) == expected, (verdict, task.texts())


@pytest.mark.parametrize("count", [60, pytest.param(400, marks=pytest.mark.long)])
def test_verdicts_are_those_of_integration_with_small_steps(count: int) -> None:
    settings(max_examples=count)(given(HYBRIDS)(check))()


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("(* (^ (x) 16) (^ (x) 15))", None),
        ("(* (^ (x) 16) (^ (x) 16))", "a polynomial of time of degree 32"),
        ("(^ (x) 33)", "the exponent 33 is not judged"),
    ],
)
def test_polynomials_of_a_large_degree_are_not_judged(expression: str, reason: str | None) -> None:
    domain = f"""(define (domain d) (:requirements :time) (:predicates (p)) (:functions (x))
      (:process flow :parameters () :precondition () :effect (increase (x) (* #t 1)))
      (:event ring :parameters () :precondition (>= {expression} 9) :effect (p))
      (:action go :parameters () :effect (p)))"""
    problem = "(define (problem q) (:domain d) (:init (= (x) 0)) (:goal (p)))"
    verdict = read_task(domain, problem).judge("2: (go)")
    assert (verdict.status, verdict.reason) == ("undecided" if reason else "valid", reason)
