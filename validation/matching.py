"""An index of the facts of a state, for joins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, Union

from pddl_pipeline.validation.language import Atom, Binding, Ground
from pddl_pipeline.validation.vocabulary import Vocabulary, changing_predicates

_FEW: Final = 4
"""A place with so few facts is selective enough; to index another costs more than it saves."""

Places = Sequence[tuple[int, int]]
"""For each term of an atom its position in a fact, from 1, and its slot in a row."""
Row = list[Union[str, None]]
"""The object in each slot; None in the slot of a parameter that is not bound."""


class _Relation:
    """The facts of one predicate, grouped on demand by the object at a position."""

    __slots__ = ("_groups", "facts")

    def __init__(self, facts: list[Ground]) -> None:
        self.facts = facts
        self._groups: dict[int, dict[str, list[Ground]]] = {}

    def add(self, fact: Ground) -> None:
        self.facts.append(fact)
        for position, groups in self._groups.items():
            groups.setdefault(fact[position], []).append(fact)

    def at(self, position: int) -> dict[str, list[Ground]]:
        known = self._groups.get(position)
        if known is None:
            found: dict[str, list[Ground]] = defaultdict(list)
            for fact in self.facts:
                found[fact[position]].append(fact)
            known = self._groups[position] = dict(found)
        return known


class FactIndex:
    """Index of facts by predicate, and by predicate and the object at one position."""

    def __init__(self, facts: Iterable[Ground]) -> None:
        by_predicate: dict[str, list[Ground]] = defaultdict(list)
        for fact in facts:
            by_predicate[fact[0]].append(fact)
        self.relations = {name: _Relation(found) for name, found in by_predicate.items()}
        """For each predicate its facts; predicates without facts may be absent."""

    def include(self, other: FactIndex) -> bool:
        """Include the facts of another index; return False if both have facts of one predicate.

        They are not copied: no more facts of their predicates may be added.
        """
        if not self.relations.keys().isdisjoint(other.relations):
            return False
        self.relations.update(other.relations)
        return True

    def add(self, fact: Ground) -> None:
        """Add a fact that is not in the index."""
        relation = self.relations.get(fact[0])
        if relation is None:
            self.relations[fact[0]] = _Relation([fact])
        else:
            relation.add(fact)

    def matching(self, predicate: str, places: Places, row: Row) -> Sequence[Ground]:
        """Return a superset of the facts that an atom matches, by its most selective bound place.

        Args:
            predicate: the predicate of the atom.
            places: for each of its terms, the position in a fact and the slot in the row.
            row: the object of each slot; None if it is not bound.
        """
        relation = self.relations.get(predicate)
        if relation is None:
            return ()
        found: Sequence[Ground] = relation.facts
        for position, slot in places:
            name = row[slot]
            if name is not None:
                facts = relation.at(position).get(name, ())
                if len(facts) < len(found):
                    found = facts
                if len(found) <= _FEW:
                    return found
        return found


def unified(atom: Atom, fact: Ground, binding: Binding) -> Binding | None:
    """Return the binding extended so that the atom is this fact of its predicate, or None."""
    widened = dict(binding)
    for term, name in zip(atom.terms, fact[1:], strict=True):
        if (widened.setdefault(term, name) if term.startswith("?") else term) != name:
            return None
    return widened


class StaticFacts:
    """The initial facts of the predicates that no action changes and no axiom derives."""

    def __init__(self, vocabulary: Vocabulary, initial: Iterable[Ground]) -> None:
        self._vocabulary = vocabulary
        self._initial = initial

    @cached_property
    def _facts(self) -> set[Ground]:
        changing = changing_predicates(self._vocabulary)
        return {fact for fact in self._initial if fact[0] not in changing}

    @cached_property
    def _index(self) -> FactIndex:
        return FactIndex(self._facts)

    def index(self, facts: set[Ground]) -> FactIndex:
        """Return an index of the facts of a state.

        Any set of facts has an index, also one that no action leads to. Only its other facts are
        indexed anew if it has the static facts of the task and no other facts of their predicates.
        """
        static = self._facts
        if static and static <= facts:
            index = FactIndex(facts - static)
            if index.include(self._index):
                return index
        return FactIndex(facts)
