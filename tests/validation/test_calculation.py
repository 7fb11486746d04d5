"""Compiled arithmetic against plain fractions, and what the tasks of a domain share."""

from __future__ import annotations

import pickle
from fractions import Fraction
from operator import add, eq, ge, gt, le, lt, mul, sub, truediv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.arithmetic import CannotEvaluate, updated
from pddl_pipeline.validation.domain_reader import read_domain
from pddl_pipeline.validation.language import Arithmetic, Expression, Fluent, Update
from pddl_pipeline.validation.semantics import Frame, comparison, evaluation, updating
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import read_task

SIGNS = {"+": add, "-": sub, "*": mul, "/": truediv}
COMPARE = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}
WORDS = ("", "a", "b")

numbers = st.integers(-9, 9) | st.fractions(-9, 9, max_denominator=6)
fluents = st.sampled_from([Fluent("v", ("?x",)), Fluent("v", ("?y",)), Fluent("total", ())])
expressions: st.SearchStrategy[Expression] = st.recursive(
    fluents | numbers,
    lambda inner: st.builds(
        Arithmetic, st.sampled_from([*SIGNS]), st.lists(inner, min_size=2, max_size=3).map(tuple)
    ),
    max_leaves=6,
)
values = st.fixed_dictionaries(
    {}, optional=dict.fromkeys((("v", "a"), ("v", "b"), ("total",)), numbers)
)
NAMES = {"?x": "a", "?y": "b"}


def plain(expression: Expression, state: dict[tuple[str, ...], Number]) -> Fraction | None:
    """Return the value with fractions only; None if it reads no value or divides by 0."""
    if isinstance(expression, Fluent):
        found = state.get((expression.function, *(NAMES[term] for term in expression.terms)))
        return None if found is None else Fraction(found)
    if not isinstance(expression, Arithmetic):
        return Fraction(expression)
    result, *others = (plain(part, state) for part in expression.operands)
    for other in others:
        if result is None or other is None or (expression.operator == "/" and not other):
            return None
        result = Fraction(SIGNS[expression.operator](result, other))
    return result


@given(expressions, expressions, values)
def test_expressions_and_comparisons_are_those_of_fractions(
    left: Expression, right: Expression, state: dict[tuple[str, ...], Number]
) -> None:
    frame = Frame(["", "?x", "?y"])
    compute = evaluation(left, frame)
    tests = {sign: comparison(compare, left, right, frame) for sign, compare in COMPARE.items()}
    environment, now = (*WORDS, *frame.words), State(set(), state)
    x, y = plain(left, state), plain(right, state)
    if x is None:
        with pytest.raises(CannotEvaluate):
            compute(environment, now)
    else:
        assert compute(environment, now) == x
    for sign, test in tests.items():
        if x is None or y is None:
            with pytest.raises(CannotEvaluate):
                test(environment, now)
        else:
            assert test(environment, now) is COMPARE[sign](x, y)


@given(st.sampled_from(["assign", "increase", "decrease"]), fluents, expressions, values)
def test_numeric_effects_are_those_of_fractions(
    operator: str, fluent: Fluent, amount: Expression, state: dict[tuple[str, ...], Number]
) -> None:
    frame = Frame(["", "?x", "?y"])
    compute = updating(Update(operator, fluent, amount), frame)
    environment, now = (*WORDS, *frame.words), State(set(), state)
    by, old = plain(amount, state), plain(fluent, state)
    if by is None or (operator != "assign" and old is None):
        with pytest.raises(CannotEvaluate):
            updated([compute(environment, now)], state)
        return
    change = compute(environment, now)
    before = old or Fraction(0)
    expected = {"assign": by, "increase": before + by, "decrease": before - by}[operator]
    assert updated([change], state) == {change[0]: expected}


DOMAIN = """(define (domain d) (:predicates (on ?x) (done))
 (:action finish :parameters () :precondition (forall (?x) (on ?x)) :effect (done))
 (:action start :parameters (?x) :precondition (not (on ?x)) :effect (on ?x)))"""


def problem(*objects: str) -> str:
    return f"(define (problem p) (:domain d) (:objects {' '.join(objects)}) (:init) (:goal (done)))"


def test_tasks_of_one_domain_share_what_does_not_depend_on_their_objects() -> None:
    one, two = read_task(DOMAIN, problem("a")), read_task(DOMAIN, problem("a", "b"))
    plan = "(start a)\n(finish)"
    assert (one.judge(plan).status, two.judge(plan).status) == ("valid", "invalid")
    assert two.judge("(start a)\n(start b)\n(finish)").status == "valid"
    assert one.judge("(start b)\n(finish)").status == "malformed"
    assert one.vocabulary.actions["start"] is two.vocabulary.actions["start"]
    # `finish` has a quantifier, so each task prepares it for its own objects.
    assert {name for name, _ in one.vocabulary.prepared} == {"start"}
    copied = pickle.loads(pickle.dumps(one))  # noqa: S301 -- own data
    assert copied.judge(plan) == one.judge(plan)


def test_a_domain_that_was_read_before_is_not_changed_by_problems() -> None:
    before = read_domain(DOMAIN, "d")
    read_task(DOMAIN, problem("a", "b")).judge("(finish)")
    assert read_domain(DOMAIN, "d") is before
    assert not before.objects


def test_a_plan_is_judged_again_as_the_first_time() -> None:
    task = read_task(DOMAIN, problem("a"))
    start, finish = Step("start", ("a",)), Step("finish")
    one, two = Fraction(1), Fraction(2)
    for _ in range(2):
        for plan in (
            (start, finish), (Step("START", ("A",)), finish),
            (finish._replace(time=two), start._replace(time=one)),
        ):  # fmt: skip
            assert task.judge(Plan(plan)).status == "valid"
        wrong = task.judge(Plan((start, Step("finish", ("a",), 7, 3))))
        assert (wrong.status, wrong.line, wrong.column) == ("malformed", 7, 3)
        timed = task.judge(Plan((start._replace(time=one), finish)))
        assert "no time stamp" in (timed.reason or "")
