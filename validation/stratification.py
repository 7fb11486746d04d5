"""The order in which derived predicates are computed.

PDDL 2.2 (Edelkamp and Hoffmann 2004, section 3) asks for rules that can be split into strata: a
predicate may depend on itself, but not through a negation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter

from pddl_pipeline.validation.language import (
    And,
    Arithmetic,
    Atom,
    Axiom,
    Comparison,
    Condition,
    Expression,
    Fluent,
    Imply,
    Not,
    Or,
    Quantified,
)


class NotStratified(Exception):
    """A derived predicate depends on its own negation; the argument is its name."""


def strata(axioms: Sequence[Axiom]) -> list[list[Axiom]]:
    """Return the axioms in groups, each of which depends only on itself and on earlier ones.

    Raises:
        NotStratified: there is no such order.
    """
    derived = {axiom.head.predicate for axiom in axioms}
    direct: dict[str, set[str]] = {name: set() for name in derived}
    negated: dict[str, set[str]] = {name: set() for name in derived}
    for axiom in axioms:
        for name, negative in _names_read(axiom.body, negative=False):
            if name in derived:
                (negated if negative else direct)[axiom.head.predicate].add(name)
    reached = {name: _reached(name, {n: direct[n] | negated[n] for n in derived})
               for name in derived}  # fmt: skip
    groups = {
        name: frozenset({name, *(other for other in reached[name] if name in reached[other])})
        for name in derived
    }
    for name in sorted(derived):
        if negated[name] & groups[name] & reached[name]:
            raise NotStratified(name)
    order = TopologicalSorter({groups[name]: set() for name in sorted(derived)})
    for name in sorted(derived):
        for other in sorted(reached[name]):
            if groups[other] != groups[name]:
                order.add(groups[name], groups[other])
    return [[axiom for axiom in axioms if axiom.head.predicate in group]
            for group in order.static_order()]  # fmt: skip


def sources(axioms: Sequence[Axiom]) -> Mapping[str, frozenset[str]]:
    """Return for each derived predicate the predicates and functions that decide about it."""
    direct: dict[str, set[str]] = {}
    for axiom in axioms:
        read = {name for name, _ in _names_read(axiom.body, negative=False)}
        direct.setdefault(axiom.head.predicate, set()).update(read)
    return {name: _reached(name, direct) for name in direct}


def _reached(name: str, direct: Mapping[str, set[str]]) -> frozenset[str]:
    found: set[str] = set()
    queue = [*direct[name]]
    while queue:
        other = queue.pop()
        if other not in found:
            found.add(other)
            queue.extend(direct.get(other, ()))
    return frozenset(found)


def _names_read(condition: Condition, *, negative: bool) -> Iterator[tuple[str, bool]]:
    """Yield the predicates and functions that a condition reads, and whether under a negation."""
    match condition:
        case Atom(predicate, _):
            yield predicate, negative
        case Not(part):
            yield from _names_read(part, negative=not negative)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _names_read(part, negative=negative)
        case Imply(left, right):
            yield from _names_read(left, negative=not negative)
            yield from _names_read(right, negative=negative)
        case Quantified(_, _, part):
            yield from _names_read(part, negative=negative)
        case Comparison(_, left, right):
            for name in (*_functions_read(left), *_functions_read(right)):
                yield name, negative


def _functions_read(expression: Expression) -> Iterator[str]:
    match expression:
        case Fluent(function, _):
            yield function
        case Arithmetic(_, operands):
            for operand in operands:
                yield from _functions_read(operand)
