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
        (":precondition (when (open a) (open a))", "'when' is an effect, expected a condition"),
        (":precondition (not (weight a))", "'weight' is a function, expected a condition"),
        (":precondition (box a)", "'box' is a type, expected a condition"),
        (":precondition (shut a)", "'shut' is an action, expected a condition"),
        (":precondition (at start (open a))", "'at start' is a time of durative actions, expected"),
        (":precondition (at 5 (open a))", "'at' is a time of timed literals and durative actions"),
        (":precondition (at a b)", "unknown predicate 'at'"),
        (":precondition (> (open a) 0)", "'open' is a predicate, expected a numeric function"),
        (":effect (increase (open a) 1)", "'open' is a predicate, expected a numeric function"),
        (":effect (assign (and) 1)", "'and' is a condition, expected a numeric function"),
        (":effect (and (or (open a)))", "'or' is a condition, expected an effect"),
        (":effect (>= (weight a) 1)", "'>=' is a comparison, expected an effect"),
        (":effect (oneof (open a) (on l a))", "'oneof' belongs to FOND planning"),
        (":effect (probabilistic 0.5 (open a))", "'probabilistic' belongs to PPDDL"),
        (":observe (open a)", "':observe' belongs to planning with partial observability"),
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
    for plan, status, reason in (
        ("(shut a)", "valid", None),
        ("(unused a) (shut a)", "valid", None),
        ("(shut a) (unused a)", "invalid", "step 2 (unused a): (open a) does not hold"),
        ("(unused l)", "malformed", "step 1 (unused l): 'l' is of the wrong type, ?b takes a box"),
        ("(unsed a)", "malformed", "step 1 (unsed a): unknown action 'unsed'"),
    ):
        verdict = task.judge(plan)
        assert (verdict.status, str(verdict.reason)[: len(str(reason))]) == (status, str(reason))
    steps = [str(step) for step, _ in task.successors(task.initial_state())]
    assert steps == ["(shut a)", "(shut b)", "(unused a)", "(unused b)"]
