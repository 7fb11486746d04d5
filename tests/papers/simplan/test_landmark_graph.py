"""The landmark graph is read as Fast Downward prints it."""

from __future__ import annotations

import pytest

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.papers.simplan.landmark_graph import (
    REASONABLE,
    SOUND,
    landmark_graph,
    read_landmark_graph,
)

LOG = """[t=0.002159s, 10412 KB] Dumping landmark graph:
digraph G {
  lm0 [label="Atom on(b1, b3)", style=filled];
      lm0 -> lm1 [label="r", style=dashed];
  lm1 [label="Atom handempty() | Atom clear(b-2)"];
      lm1 -> lm3 [label="gn"];
  lm2 [label="NegatedAtom clear(b3)", style=bold];
      lm2 -> lm3 [label="nec"];
  lm3 [label="Atom holding(b1)"];
      lm3 -> lm0 [label="n"];
}
[t=0.002183s, 10412 KB] Landmark graph end.
"""
DOMAIN = """(define (domain steps) (:predicates (a) (b) (c))
  (:action one :parameters () :precondition (a) :effect (and (b) (not (a))))
  (:action two :parameters () :precondition (b) :effect (and (c) (not (b)))))"""
PROBLEM = "(define (problem p) (:domain steps) (:init (a)) (:goal (c)))"


def test_atoms_and_orders_are_read() -> None:
    graph = read_landmark_graph(LOG)
    assert graph.landmarks == {
        0: (("on", "b1", "b3"),),
        1: (("handempty",), ("clear", "b-2")),
        3: (("holding", "b1"),),
    }
    assert graph.facts() == {("on", "b1", "b3"): 0, ("holding", "b1"): 3}
    assert [order.kind for order in graph.orders] == ["r", "gn", "nec", "n"]


def test_distances_go_along_orders_of_a_kind() -> None:
    graph = read_landmark_graph(LOG)
    cases = [(1, 0, SOUND), (0, 1, {REASONABLE}), (0, 1, SOUND), (0, 3, {REASONABLE, *SOUND})]
    assert [graph.distance(*each) for each in cases] == [2, 1, None, 2]


def test_fast_downward_prints_it() -> None:
    graph = landmark_graph(Problem(DOMAIN, PROBLEM), Limits(time_s=30))
    facts = graph.facts()
    assert set(facts) == {("a",), ("b",), ("c",)}
    assert graph.distance(facts["a",], facts["c",], SOUND) is not None
    assert graph.distance(facts["c",], facts["a",], SOUND) is None


def test_a_problem_that_cannot_be_read_has_none() -> None:
    with pytest.raises(EngineError, match="printed no landmark graph"):
        landmark_graph(Problem(DOMAIN, "(define (problem"), Limits(time_s=30))
