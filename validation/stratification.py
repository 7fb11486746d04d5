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
    found: dict[int, list[Axiom]] = {number: [] for number in sorted({*group.values()})}
    for axiom in axioms:
        found[group[axiom.head.predicate]].append(axiom)
    return [*found.values()]


def _components(direct: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the number of each name's strongly connected component.

    A component's number is above those of the components that it depends on. The algorithm is
    Kosaraju's; it uses no recursion, since ground domains have chains of thousands of rules.
    """
    users: dict[str, list[str]] = {name: [] for name in direct}
    finished: dict[str, None] = {}
    seen = set[str]()
    # A name is on the stack a second time, to be finished after those that it depends on.
    stack = [(name, False) for name in direct]
    while stack:
        name, is_left = stack.pop()
        if is_left:
            finished[name] = None
        elif name not in seen:
            seen.add(name)
            stack += [(name, True), *((other, False) for other in sorted(direct[name]))]
            for other in direct[name]:
                users[other].append(name)
    component: dict[str, int] = {}
    # The name that was finished last has no users outside of its component, and so on.
    for number, root in enumerate(reversed(finished)):
        queue = [root]
        while queue:
            name = queue.pop()
            if name not in component:
                component[name] = -number  # its dependents were numbered before
                queue += users[name]
    return component


def reads(condition: Condition) -> Iterator[Read]:
    """Yield the predicates and functions of a condition."""
    for part, negative in walk(condition):
        match part:
            case Atom(name, _):
                yield Read(name, function=False, negative=negative)
            case Fluent(name, _):
                yield Read(name, function=True, negative=negative)
