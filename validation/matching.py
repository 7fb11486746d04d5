"""Find the bindings of variables that make atoms true in a state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, Union

from pddl_pipeline.validation.language import Atom, Binding, Ground, Variable
from pddl_pipeline.validation.vocabulary import Vocabulary
from pddl_pipeline.validation.work_limit import WorkLimit

_FEW: Final = 4
"""A place with so few facts is selective enough; to index another costs more than it saves."""

Places = Sequence[tuple[int, int]]
"""For each term of an atom its position in a fact, from 1, and its slot in a row."""
Row = list[Union[str, None]]
"""The object in each slot; None in the slot of a parameter that is not bound."""


class FactIndex:
    """Index of facts by predicate, and by predicate and the object at one position."""

    def __init__(self, facts: Iterable[Ground]) -> None:
        self._by_predicate: dict[str, list[Ground]] = defaultdict(list)
        self._by_object: dict[tuple[str, int], dict[str, list[Ground]]] = {}
        for fact in facts:
            self._by_predicate[fact[0]].append(fact)

    def add(self, fact: Ground) -> None:
        """Add a fact that is not in the index."""
        self._by_predicate[fact[0]].append(fact)
        for position in range(1, len(fact)):
            known = self._by_object.get((fact[0], position))
            if known is not None:
                known.setdefault(fact[position], []).append(fact)

    def candidates(self, atom: Atom, binding: Binding) -> Sequence[Ground]:
        """Return a superset of the facts that the atom matches under the binding."""
        for position, term in enumerate(atom.terms, start=1):
            name = binding.get(term) if term.startswith("?") else term
            if name is not None:
                return self._at(atom.predicate, position).get(name, ())
        return self._by_predicate.get(atom.predicate, ())

    def matching(self, predicate: str, places: Places, row: Row) -> Sequence[Ground]:
        """Return a superset of the facts that an atom matches, by its most selective bound place.

        Args:
            predicate: the predicate of the atom.
            places: for each of its terms, the position in a fact and the slot in the row.
            row: the object of each slot; None if it is not bound.
        """
        found: Sequence[Ground] | None = None
        for position, slot in places:
            name = row[slot]
            if name is not None:
                facts = self._at(predicate, position).get(name, ())
                if found is None or len(facts) < len(found):
                    found = facts
                if len(found) <= _FEW:
                    return found
        return self._by_predicate.get(predicate, ()) if found is None else found

    def _at(self, predicate: str, position: int) -> dict[str, list[Ground]]:
        key = (predicate, position)
        if key not in self._by_object:
            found: dict[str, list[Ground]] = defaultdict(list)
            for fact in self._by_predicate.get(predicate, ()):
                found[fact[position]].append(fact)
            self._by_object[key] = dict(found)
        return self._by_object[key]


def matches(
    atoms: Sequence[Atom], binding: Binding, index: FactIndex, limit: WorkLimit | None = None
) -> Iterator[Binding]:
    """Yield the extensions of a binding under which every atom is a fact.

    Raises:
        NotJudged: the work limit is exceeded; None means no limit.
    """
    if not atoms:
        yield binding
        return
    unbound = [sum(term.startswith("?") and term not in binding for term in atom.terms)
               for atom in atoms]  # fmt: skip
    chosen = unbound.index(min(unbound))
    others = [*atoms[:chosen], *atoms[chosen + 1 :]]
    for fact in index.candidates(atoms[chosen], binding):
        if limit is not None:
            limit.spend()
        widened = unified(atoms[chosen], fact, binding)
        if widened is not None:
            yield from matches(others, widened, index, limit)


def unified(atom: Atom, fact: Ground, binding: Binding) -> Binding | None:
    """Return the binding extended so that the atom is this fact of its predicate, or None."""
    widened = dict(binding)
    for term, name in zip(atom.terms, fact[1:], strict=True):
        if (widened.setdefault(term, name) if term.startswith("?") else term) != name:
            return None
    return widened


def completed(
    vocabulary: Vocabulary, variables: Sequence[Variable], binding: Binding
) -> Iterator[tuple[str, ...]]:
    """Yield each tuple of objects for the variables, in order, that agrees with the binding.

    An unbound variable stands for each object of its type; a bound one must be of its type.
    """
    choices: list[Iterable[str]] = []
    for variable in variables:
        candidates = vocabulary.candidates(variable.types)
        name = binding.get(variable.name)
        if name is None:
            choices.append(candidates)
        elif name in candidates:
            choices.append((name,))
        else:
            return
    yield from product(*choices)
