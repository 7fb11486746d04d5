"""The type hierarchy of a domain."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from pddl_pipeline.validation.language import Types

OBJECT = "object"


class TypeTree:
    """Types with their parents; a type may have several (``either``), ``object`` is the root."""

    def __init__(self, *, declared: bool) -> None:
        self.declared = declared
        """Whether there is a ``:types`` section. Without one, types are not checked, as in VAL."""
        self.parents: dict[str, set[str]] = {}

    def knows(self, name: str) -> bool:
        """Return whether the type may be used."""
        return not self.declared or name == OBJECT or name in self.parents

    def cycle(self) -> list[str]:
        """Return types each of which is a parent of the one before; none if there is no cycle.

        A type may be listed as its own parent, and ``object`` under other types: public files do
        so, and it says nothing about other types.
        """
        edges = {
            name: [parent for parent in parents if parent != name]
            for name, parents in self.parents.items()
            if name != OBJECT
        }
        try:
            TopologicalSorter(edges).prepare()
        except CycleError as error:
            return [*reversed(error.args[1])]
        return []

    def with_ancestors(self, types: Iterable[str]) -> frozenset[str]:
        """Return the types and all their ancestors."""
        found = {OBJECT}
        queue = list(types)
        while queue:
            name = queue.pop()
            if name not in found:
                found.add(name)
                queue.extend(self.parents.get(name, ()))
        return frozenset(found)

    def fits(self, ancestry: frozenset[str], wanted: Types) -> bool:
        """Return whether an object with these types and ancestors is of a type in ``wanted``."""
        return not self.declared or not ancestry.isdisjoint(wanted)
