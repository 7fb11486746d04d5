"""The order in which derived predicates are computed.

PDDL 2.2 (Edelkamp and Hoffmann 2004, section 3) requires rules that can be split into strata: a
predicate may depend on itself, but not through a negation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pddl_pipeline.validation.language import Atom, Axiom, Condition, Fluent, walk


class NotStratified(Exception):
    """A derived predicate depends on its own negation; the argument is its name."""


class Read(NamedTuple):
    """A predicate or a function that a condition reads."""

    name: str
    function: bool
    negative: bool
    """Whether it is read under a negation."""


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
    group = _components(direct)
    for name in derived:
        if any(group[other] == group[name] for other in negated[name]):
            raise NotStratified(name)
    found: list[list[Axiom]] = [[] for _ in set(group.values())]
    for axiom in axioms:
        found[group[axiom.head.predicate]].append(axiom)
    return found


def _components(direct: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the number of each name's strongly connected component.

    A component's number is above those of the components that it depends on. The algorithm is
    Tarjan's (1972); it uses no recursion, since ground domains have chains of thousands of rules.
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    component: dict[str, int] = {}
    open_names: list[str] = []
    count = 0
    for root in direct:
        # The stack of the recursion: each name with those that are left to visit.
        path = [(root, iter(sorted(direct[root])))] if root not in number else []
        while path:
            name, rest = path[-1]
            if name not in number:
                number[name] = lowest[name] = len(number)
                open_names.append(name)
            for other in rest:
                if other not in number:
                    path.append((other, iter(sorted(direct[other]))))
                    break
                # A name of a finished component lies below, and closes no circle.
                if other not in component:
                    lowest[name] = min(lowest[name], lowest[other])
            else:
                path.pop()
                if path:
                    below = path[-1][0]
                    lowest[below] = min(lowest[below], lowest[name])
                # The first name of its component: all open names above it belong to it.
                if lowest[name] == number[name]:
                    while name not in component:
                        component[open_names.pop()] = count
                    count += 1
    return component


def reads(condition: Condition) -> Iterator[Read]:
    """Yield the predicates and functions of a condition."""
    for part, negative in walk(condition):
        match part:
            case Atom(name, _):
                yield Read(name, function=False, negative=negative)
            case Fluent(name, _):
                yield Read(name, function=True, negative=negative)
