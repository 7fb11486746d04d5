"""Derived atoms on random graphs, compared with an independent computation."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.validation.state import State

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
