"""Actions that no plan uses: their errors are errors of the domain, and they are still there."""

from __future__ import annotations

import pytest

from pddl_pipeline import PddlError, read_task

DOMAIN = """(define (domain d) (:types box lid - thing)
(:predicates (open ?b - box) (on ?l - lid ?b - box))
(:functions (weight ?b - box))
(:action shut :parameters (?b - box) :precondition (open ?b) :effect (not (open ?b)))
(:action unused UNUSED))"""
PROBLEM = """(define (problem p) (:domain d) (:objects a b - box l - lid)
(:init (open a) (open b)) (:goal (not (open a))))"""
RIGHT = ":parameters (?b - box) :precondition (open ?b) :effect (on l ?b)"


@pytest.mark.parametrize(
    ("unused", "message"),
    [
        (":precondition (opne a)", "unknown predicate 'opne'; did you mean 'open'?"),
        (":effect (closed)", "unknown predicate 'closed'"),
        (":parameters (?l - lid) :effect (open ?l)",
         "'?l' is not of the type that 'open' takes here: box"),
        (":parameters (?b - bxo)", "'?b' has the unknown type 'bxo'; did you mean 'box'?"),
        (":parameters (?b - box) :effect (on ?b)", "predicate 'on' takes 2 arguments, found 1"),
        (":parameters (?b - box) :effect (open ?c)", "unbound variable '?c'"),
        (":parameters (?b - box) :precondition (exists (?l - lid) (on ?l ?c))",
         "unbound variable '?c'"),
        (":effect (open z)", "unknown object 'z'"),
        (":parameters (?b - box) :effect (increase (wieght ?b) 1)",
         "unknown function 'wieght'; did you mean 'weight'?"),
        (":parameters (?b - box) :effect (increase (weight ?b) one)",
         "'one' is not a decimal number"),
        (":parameters (?b - box) :precondition (> (weight ?b))", "'>' takes 2 arguments, found 1"),
        (":parameters (?b ?b - box)", "variable ?b is given twice"),
        (":precondition (when (open ?b) (open ?b))", "unknown predicate 'when'"),
        (":efect (open ?b)", "found :efect, expected one of"),
    ],
)  # fmt: skip
def test_an_error_is_found_on_reading(unused: str, message: str) -> None:
    with pytest.raises(PddlError) as caught:
        read_task(DOMAIN.replace("UNUSED", unused), PROBLEM)
    assert caught.value.message.startswith(message)
    assert caught.value.line == 5


def test_other_plans_can_use_the_action() -> None:
    constants = DOMAIN.replace("(:predicates", "(:constants l - lid)\n(:predicates")
    task = read_task(constants.replace("UNUSED", RIGHT), PROBLEM)
    assert task.judge("(shut a)").status == "valid"
    assert task.judge("(unused a) (shut a)").status == "valid"
    assert task.judge("(shut a) (unused a)").reason == "step 2 (unused a): (open a) does not hold"
    assert task.judge("(unused l)").status == "malformed"
    assert task.judge("(unsed a)").reason.startswith("step 1 (unsed a): unknown action 'unsed'")


def test_successors_after_a_judgement() -> None:
    constants = DOMAIN.replace("(:predicates", "(:constants l - lid)\n(:predicates")
    task = read_task(constants.replace("UNUSED", RIGHT), PROBLEM)
    task.judge("(shut a)")
    steps = [str(step) for step, _ in task.successors(task.initial_state())]
    assert steps == ["(shut a)", "(shut b)", "(unused a)", "(unused b)"]
