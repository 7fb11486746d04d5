"""The successors of a state against trying every step, and on joins that must not be tried out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from molecules import ATOMS, molecules

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import StepFails
from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation import successors as join
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

OBJECTS = ("a", "b", "c", "d")
TYPES = ("", " - t", " - u", " - (either t u)", " - v", " - object")


def atoms(terms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.sampled_from(["(zero)", "(far a)"]),
        st.builds("(one {})".format, terms),
        st.builds("(two {} {})".format, terms, terms),
        st.builds("(two {0} {0})".format, terms),
        st.builds("(three {} {} {})".format, terms, terms, terms),
        st.builds("(far {})".format, terms),
    )


def numbers(terms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return expressions; (f d) and (f b) are undefined, and quotients may divide by zero."""
    leaf = st.one_of(st.sampled_from(["0", "1", "2"]), st.builds("(f {})".format, terms))
    return st.one_of(leaf, st.builds("({} {} {})".format, st.sampled_from("+-*/"), leaf, leaf))


@cache  # a strategy must be the same whenever it is drawn from
def preconditions(variables: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Return the parts of a precondition, most of them atoms, so that many have steps."""
    terms = st.sampled_from((*variables, "a", "b"))
    leaf = st.one_of(
        atoms(terms),
        st.builds("(= {} {})".format, terms, terms),
        st.builds("({} {} {})".format, st.sampled_from(["<", "<=", "=", ">=", ">"]),
                  numbers(terms), numbers(terms)),
    )  # fmt: skip
    bound = st.sampled_from((*variables, "a", "b", "?q"))
    quantified = st.builds(
        "({} (?q{}) {})".format,
        st.sampled_from(["exists", "forall"]), st.sampled_from(TYPES), atoms(bound),
    )  # fmt: skip
    any_condition = st.recursive(
        st.one_of(leaf, quantified),
        lambda part: st.one_of(
            st.builds("(not {})".format, part),
            st.builds("(and {} {})".format, part, part),
            st.builds("(or {} {})".format, part, part),
            st.builds("(imply {} {})".format, part, part),
        ),
        max_leaves=4,
    )
    return st.lists(st.one_of(atoms(terms), atoms(terms), any_condition), max_size=6)


INITIAL_ATOMS = st.lists(
    atoms(st.sampled_from(OBJECTS)).filter(lambda atom: "far" not in atom), max_size=14
)


@st.composite
def tasks(draw: st.DrawFn) -> tuple[str, str]:
    """Return a domain and a problem with one action whose precondition has parts of every kind."""
    variables = ("?x", "?y", "?z", "?w")[: draw(st.integers(0, 4))]
    parameters = " ".join(f"{name}{draw(st.sampled_from(TYPES))}" for name in variables)
    parts = draw(preconditions(variables))
    effect = draw(st.sampled_from(["(zero)", "(when (zero) (not (one a)))", "(increase (f a) 1)",
                                   "(forall (?q - t) (not (one ?q)))"]))  # fmt: skip
    init = draw(INITIAL_ATOMS)
    domain = f"""(define (domain d) (:requirements :adl :fluents :derived-predicates)
      (:types t u - object v - t)
      (:constants a - t b - u)
      (:predicates (zero) (one ?x) (two ?x ?y) (three ?x ?y ?z) (far ?x))
      (:functions (f ?x))
      (:derived (far ?x) (exists (?y) (and (two ?x ?y) (or (one ?y) (far ?y)))))
      (:action go :parameters ({parameters}) :precondition (and {" ".join(parts)})
        :effect (and {effect})))"""
    problem = f"""(define (problem p) (:domain d) (:objects c - v d - object)
      (:init {" ".join(init)} (= (f a) 0) (= (f c) 2)) (:goal (zero)))"""
    return domain, problem


def by_trying(task: Task) -> Iterator[tuple[Step, State]]:
    """Yield the successors of the initial state: every step in turn is tried."""
    state = task.initial_state()
    for name, action in sorted(task.vocabulary.actions.items()):
        objects = [sorted(task.vocabulary.candidates(each.types)) for each in action.parameters]
        for arguments in product(*objects):
            after = state.copy()
            try:
                task.apply(Step(name, arguments), after)
            except StepFails:
                continue
            yield Step(name, arguments), after


@pytest.mark.parametrize("budget", [0, 3, join.BUDGET])
@settings(max_examples=60)
@given(texts=tasks())
def test_successors_are_the_steps_that_can_be_applied(budget: int, texts: tuple[str, str]) -> None:
    """The order is that of the arguments, also if a join is split because it tries too much."""
    task = read_task(*texts)
    with mock.patch.object(join, "BUDGET", budget):
        assert list(task.successors(task.initial_state())) == list(by_trying(task))


def steps(task: Task) -> Iterator[Step]:
    return (each.step for each in task.successors(task.initial_state()))


@pytest.mark.parametrize(
    "roads", [("ab", "bc"), ("ab", "bc", "bd"), ("ab", "bd"), ("ba",), ()], ids="-".join
)
def test_static_facts_are_those_of_the_state(roads: tuple[str, ...]) -> None:
    """No action changes roads, but a state of another problem has its own."""
    task = drive(("ab", "bc"))
    for known in (("ab", "bc"), roads, ("ab", "bc")):
        state = drive(known).initial_state()
        found = [
            [first.step.arguments, second.step.arguments]
            for first in task.successors(state)
            for second in task.successors(first.state)
        ]
        first = [tuple(road) for road in known if road.startswith("a")]
        second = [tuple(road) for road in known if road.startswith("b")]
        assert found == [[one, two] for one in first for two in second]


def drive(roads: tuple[str, ...]) -> Task:
    """Return a task to drive from a by these roads."""
    domain = """(define (domain drive) (:predicates (road ?x ?y) (at ?x))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
        :effect (and (not (at ?x)) (at ?y))))"""
    facts = " ".join(f"(road {begin} {end})" for begin, end in roads)
    problem = f"""(define (problem p) (:domain drive) (:objects a b c d)
      (:init (at a) {facts}) (:goal (at d)))"""
    return read_task(domain, problem)


def test_first_steps_of_a_large_join_come_without_the_others() -> None:
    """There are 29 * 30 ** 4 steps: they cannot all be computed before the first."""
    expected = [
        Step("exchange", tuple(f"{kind}{n:02}" for kind in "cho" for n in (0, 1, 0, 0, last)))
        for last in range(ATOMS)
    ]
    assert list(islice(steps(molecules()), ATOMS)) == expected


@pytest.mark.parametrize(
    "further",
    [
        # No carbon has a bond with an oxygen: the types decide.
        "(bond ?e ?s)",
        # Two parts decide that each can be true, but not both, after the other molecules.
        "(or (= ?e c00) (= ?e c01)) (or (= ?s o02) (= ?s o03))",
    ],
)
def test_join_without_steps_does_not_try_all_molecules(further: str) -> None:
    assert not list(steps(molecules(further)))
