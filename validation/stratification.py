"""The order in which derived predicates are computed.

PDDL 2.2 (Edelkamp and Hoffmann 2004, section 3) requires rules that can be split into strata: a
predicate may depend on itself, but not through a negation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import NamedTuple

from pddl_pipeline.validation.language import Atom, Axiom, Comparison, Condition, fluents_in, leaves


class NotStratified(Exception):
    """A derived predicate depends on its own negation; the argument is its name."""


class Read(NamedTuple):
    """A predicate or a function that a condition reads."""

    name: str
    function: bool
    negative: bool
    """Whether it is read under a negation."""


class DependencySource(NamedTuple):
    """The predicates and functions on which a derived predicate depends."""

    predicates: frozenset[str]
    functions: frozenset[str]


Sources = Mapping[str, DependencySource]


def strata(axioms: Sequence[Axiom]) -> list[list[Axiom]]:
    """Return the axioms in groups, each of which depends only on itself and on earlier ones.

    Raises:
        NotStratified: there is no such order.
    """
    derived = sorted({axiom.head.predicate for axiom in axioms})
    direct: dict[str, set[str]] = {name: set() for name in derived}
    negated: dict[str, set[str]] = {name: set() for name in derived}
    for axiom in axioms:
        for read in reads(axiom.body):
            if not read.function and read.name in direct:
                direct[axiom.head.predicate].add(read.name)
                if read.negative:
                    negated[axiom.head.predicate].add(read.name)
    reached = {name: _reached(name, direct) for name in derived}
    groups = {
        name: frozenset({name, *(other for other in reached[name] if name in reached[other])})
        for name in derived
    }
    for name in derived:
        if negated[name] & groups[name]:
            raise NotStratified(name)
    order = TopologicalSorter({groups[name]: set() for name in derived})
    for name in derived:
        for other in sorted(reached[name]):
            if groups[other] != groups[name]:
                order.add(groups[name], groups[other])
    return [[axiom for axiom in axioms if axiom.head.predicate in group]
            for group in order.static_order()]  # fmt: skip


def sources(axioms: Sequence[Axiom]) -> Sources:
    """Return, for each derived predicate, the predicates and functions on which it depends."""
    direct: dict[str, set[str]] = {}
    functions: dict[str, set[str]] = {}
    for axiom in axioms:
        head = axiom.head.predicate
        for read in reads(axiom.body):
            (functions if read.function else direct).setdefault(head, set()).add(read.name)
    found: dict[str, DependencySource] = {}
    for head in {axiom.head.predicate for axiom in axioms}:
        predicates = _reached(head, direct)
        names = (functions.get(name, set()) for name in (head, *predicates))
        found[head] = DependencySource(predicates, frozenset().union(*names))
    return found


def _reached(name: str, direct: Mapping[str, set[str]]) -> frozenset[str]:
    found: set[str] = set()
    queue = [*direct.get(name, ())]
    while queue:
        other = queue.pop()
        if other not in found:
            found.add(other)
            queue.extend(direct.get(other, ()))
    return frozenset(found)


def reads(condition: Condition) -> Iterator[Read]:
    """Yield the predicates and functions of a condition."""
    for part, negative in leaves(condition):
        match part:
            case Atom(predicate, _):
                yield Read(predicate, function=False, negative=negative)
            case Comparison(_, left, right):
                for fluent in fluents_in(left, right):
                    yield Read(fluent.function, function=True, negative=negative)
