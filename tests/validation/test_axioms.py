"""Derived atoms on random graphs, compared with an independent computation."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

NODES = "abcde"
BODIES = {
    "left": "(exists (?z) (and (reach ?x ?z) (edge ?z ?y) (not (broken ?z))))",
    "right": "(exists (?z) (and (edge ?x ?z) (not (broken ?z)) (reach ?z ?y)))",
    "both": "(exists (?z) (and (reach ?x ?z) (reach ?z ?y) (not (broken ?z))))",
}
DOMAIN = """(define (domain graph) (:requirements :adl :derived-predicates)
  (:predicates (edge ?x ?y) (broken ?x) (reach ?x ?y) (apart ?x ?y) (hub ?x))
  (:derived (hub ?x) (forall (?y) (or (= ?x ?y) (not (apart ?x ?y)))))
  (:derived (apart ?x ?y) (and (not (reach ?x ?y)) (not (reach ?y ?x))))
  (:derived (reach ?x ?y) (or (edge ?x ?y) {body}))
  (:action toggle :parameters (?x)
    :effect (and (when (broken ?x) (not (broken ?x))) (when (not (broken ?x)) (broken ?x)))))
"""
Edges = set[tuple[str, str]]


def reachable(edges: Edges, broken: set[str]) -> Edges:
    """Return the pairs with a path between them whose inner nodes are not broken."""
    found = set(edges)
    for middle in NODES:
        if middle not in broken:
            found |= {(x, y) for x, y in product(NODES, repeat=2)
                      if (x, middle) in found and (middle, y) in found}  # fmt: skip
    return found


def check(state: State, edges: Edges, broken: set[str]) -> None:
    reach = reachable(edges, broken)
    apart = {(x, y) for x, y in product(NODES, repeat=2) if not {(x, y), (y, x)} & reach}
    hubs = {x for x in NODES if not any((x, y) in apart for y in NODES if y != x)}
    expected = {("edge", *edge) for edge in edges} | {("broken", node) for node in broken}
    expected |= {("reach", *pair) for pair in reach} | {("apart", *pair) for pair in apart}
    assert state.facts == expected | {("hub", node) for node in hubs}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@given(
    edges=st.sets(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=10),
    broken=st.sets(st.sampled_from(NODES)),
    toggled=st.lists(st.sampled_from(NODES), max_size=3),
)
def test_derived_atoms_after_every_step(
    body: str, edges: Edges, broken: set[str], toggled: list[str]
) -> None:
    facts = [f"(edge {x} {y})" for x, y in sorted(edges)] + [f"(broken {x})" for x in broken]
    problem = f"""(define (problem p) (:domain graph) (:objects {" ".join(NODES)})
      (:init {" ".join(facts)}) (:goal (and)))"""
    task = read_task(DOMAIN.format(body=body), problem)
    now = set(broken)
    states = task.trace("".join(f"(toggle {node})" for node in toggled))
    check(next(states), edges, now)
    for node, state in zip(toggled, states, strict=True):
        now ^= {node}
        check(state, edges, now)


ARITIES = {"one": 1, "two": 2, "d0": 1, "d1": 2, "d2": 1, "d3": 0}
"""The predicates with their arities: two that steps change, four that rules derive."""
CHANGING = """(define (domain changing) (:requirements :adl :fluents :derived-predicates)
  (:constants a) (:predicates (one ?x) (two ?x ?y) (d0 ?x) (d1 ?x ?y) (d2 ?x) (d3))
  (:functions (f)) {rules}
  (:action add-one :parameters (?x) :effect (one ?x))
  (:action cut-one :parameters (?x) :effect (not (one ?x)))
  (:action add-two :parameters (?x ?y) :effect (two ?x ?y))
  (:action cut-two :parameters (?x ?y) :effect (not (two ?x ?y)))
  (:action count :parameters () :effect (assign (f) (- 1 (f)))))
"""
START = """(define (problem start) (:domain changing) (:objects b)
  (:init (one a) (two a b) (= (f) 0)) (:goal (and)))"""
STEPS = ["(count)", *(f"({verb}-one {x})" for verb in ("add", "cut") for x in "ab")]
STEPS += [f"({verb}-two {x} {y})" for verb in ("add", "cut") for x in "ab" for y in "ab"]


@st.composite
def literals(draw: st.DrawFn, level: int) -> str:
    """Draw an atom that a rule of a level may read, or the negation of one of an earlier level."""
    below = ["one", "two", *(f"d{number}" for number in range(level))]
    is_negative = draw(st.booleans())
    name = draw(st.sampled_from(below if is_negative else [*below, *2 * [f"d{level}"]]))
    terms = [draw(st.sampled_from(["?x", "?y", "?z", "a"])) for _ in range(ARITIES[name])]
    atom = f"({' '.join([name, *terms])})"
    return f"(not {atom})" if is_negative else atom


@st.composite
def rules(draw: st.DrawFn) -> str:
    level = draw(st.integers(0, 3))
    part = literals(level)
    for form in ("(or {} {})", "(exists (?z) (and {} {}))", "(forall (?z) (or {} {}))"):
        part |= st.builds(form.format, literals(level), literals(level))
    part |= st.sampled_from(["(= ?x ?z)", "(not (= ?y ?z))", "(> (f) 0)"])
    head, others = [["?x"], ["?x", "?y"], ["?x"], []][level], ["?x", "?y", "?z"]
    outer = " ".join(each for each in others if each not in head)
    body = " ".join(draw(st.lists(part, min_size=1, max_size=3)))
    return f"(:derived ({' '.join([f'd{level}', *head])}) (exists ({outer}) (and {body})))"


def derived_anew(task: Task, state: State) -> State:
    """Return the state with the least sets of derived atoms that the rules are closed under."""
    facts = {fact for fact in state.facts if fact[0] in ("one", "two")}
    semantics, whole = Semantics(task.vocabulary), State(facts, state.values)
    for stratum in task.vocabulary.strata:
        before = -1
        while before < len(facts):
            before = len(facts)
            for axiom, objects in product(stratum, product("ab", repeat=2)):
                words = objects[: len(axiom.head.terms)]
                binding = dict(zip(axiom.head.terms, words, strict=True))
                if semantics.holds(axiom.body, binding, whole):
                    facts.add((axiom.head.predicate, *words))
    return whole


@pytest.mark.parametrize("walks", [100, pytest.param(500, marks=pytest.mark.long)])
def test_derived_atoms_are_updated_as_if_derived_anew(walks: int) -> None:
    @settings(max_examples=walks)
    @given(texts=st.lists(rules(), min_size=1, max_size=6), steps=st.lists(st.sampled_from(STEPS)))
    def check_walk(texts: list[str], steps: list[str]) -> None:
        task = read_task(CHANGING.format(rules="\n".join(texts)), START)
        states = list(task.trace("".join(steps)))
        assert states == [derived_anew(task, state) for state in states]
        assert [each.after for each in task.narrate("".join(steps))] == states[1:]

    check_walk()


RULES = st.lists(st.tuples(*3 * [st.sampled_from("pqrst")], st.booleans()), max_size=8)


@given(rules=RULES)
def test_rules_are_ordered_or_rejected(rules: list[tuple[str, str, str, bool]]) -> None:
    """A rule is ``head :- first, second`` or ``head :- first, not second``."""
    reads = {head: {x for h, *body, _ in rules for x in body if h == head} for head in "pqrst"}
    below = {head: closed(reads, head) for head in "pqrst"}
    cyclic = any(negative and head in below[second] | {second} for head, _, second, negative
                 in rules)  # fmt: skip
    texts = [
        f"(:derived ({head}) (and (b) ({first}) {f'(not ({last}))' if negative else f'({last})'}))"
        for head, first, last, negative in rules
    ]
    domain = f"""(define (domain d) (:predicates (b) {" ".join(f"({x})" for x in "pqrst")})
        {" ".join(texts)})"""
    problem = "(define (problem x) (:domain d) (:init (b)) (:goal (b)))"
    if cyclic:
        with pytest.raises(InputError, match="depends on its own negation"):
            read_task(domain, problem)
        return
    strata = enumerate(read_task(domain, problem).vocabulary.strata)
    level = {axiom.head.predicate: number for number, stratum in strata for axiom in stratum}
    assert level.keys() == {head for head, *_ in rules}
    for head, first, last, negative in rules:
        assert level[head] >= max(level.get(first, 0), level.get(last, -1) + negative)


def closed(reads: dict[str, set[str]], head: str) -> set[str]:
    found: set[str] = set()
    while more := set().union(*(reads[x] for x in found | {head})) - found:
        found |= more
    return found
