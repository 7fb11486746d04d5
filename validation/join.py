"""The arguments under which the positive atoms of a precondition are facts, in sorted order.

The atoms are joined: at each point the atom with the fewest facts that agree with what is bound
comes next, and another part of the precondition is tested once its parameters are bound. Lifted
successors as joins are due to Correa et al. (ICAPS 2020), the order to Helmert (2009, section 6).

A join that tries more than `BUDGET` facts is not finished. Instead, its first open parameter takes
the objects one after the other that arc consistency leaves, of which nearly all have results if the
join is acyclic (Yannakakis 1981); and nothing is tried if one of several atoms' groups that share
no open parameter has no results. So the first results come early, and no more than a budget's worth
of them is stored in order to be sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from pddl_pipeline.validation.consistency import consistent
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.matching import FactIndex, Places, Row
from pddl_pipeline.validation.query import Domains, Query, QueryAtom, Slots, independent, slots_of
from pddl_pipeline.validation.semantics import Test
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.work_limit import WorkLimit

BUDGET: Final = 10_000
"""Number of facts and objects that a join may try before it is split."""

Arguments = tuple[str, ...]


def joined(
    query: Query, index: FactIndex, state: State, limit: WorkLimit | None = None
) -> Iterator[Arguments]:
    """Yield the arguments that may satisfy a precondition, sorted and without duplicates.

    Its positive atoms hold for them; of its other parts, some are left to be tested. The index
    holds the facts of the state.

    Raises:
        NotJudged: the work limit is exceeded; None means no limit.
    """
    row = list(query.row)
    if not query.ground or query.hold(query.ground, row, state):
        yield from _sorted(_Search(query, index, state, limit), row, query.domains, 0)


def _sorted(search: _Search, row: Row, domains: Domains, bound: Slots) -> Iterator[Arguments]:
    query = search.query
    found = search.results(query.atoms, row, domains, bound)
    if found is not None:
        yield from sorted(found)
        return
    left = consistent(query, search.index, row, domains)
    if left is None:
        return
    groups = independent(query.atoms, bound)
    if len(groups) > 1 and [] in (search.results(group, row, left, bound) for group in groups):
        return
    slot = next(slot for slot in range(query.width) if row[slot] is None)
    after = bound | 1 << slot
    due = query.due(bound, after)
    for name in sorted(left[slot]):
        row[slot] = name
        if not due or query.hold(due, row, search.state):
            yield from _sorted(search, row, left, after)
    row[slot] = None


class _Search:
    """A depth-first search for the results of a join."""

    def __init__(
        self, query: Query, index: FactIndex, state: State, limit: WorkLimit | None
    ) -> None:
        self.query = query
        self.index = index
        self.state = state
        self._limit = limit
        self._left = 0
        self._wanted: Slots = 0
        self._row: Row = []
        self._domains: Domains = ()
        self._found: list[Arguments] = []

    def results(
        self, atoms: Sequence[QueryAtom], row: Row, domains: Domains, bound: Slots
    ) -> list[Arguments] | None:
        """Return the results that extend a row; None if the budget does not suffice.

        Parameters of other atoms stay open; those of no atom are bound with the whole query.
        """
        self._left, self._row, self._domains, self._found = BUDGET, row[:], domains, []
        self._wanted = bound | slots_of(atoms) if atoms is not self.query.atoms else self.query.full
        return self._found if self._extend(atoms, bound) else None

    def _extend(self, atoms: Sequence[QueryAtom], bound: Slots) -> bool:
        """Collect the results that extend the row; return False if the budget does not suffice."""
        row, fewest, matching = self._row, None, self.index.matching
        chosen: Sequence[Ground] = ()
        others = list[QueryAtom]()
        for atom in atoms:
            predicate, places, slots = atom
            if not slots & ~bound:
                if (predicate, *[row[slot] for _, slot in places]) not in self.state.facts:
                    return True
                continue
            found = matching(predicate, places, row)
            if not found:
                return True
            others.append(atom)
            if fewest is None or len(found) < len(chosen):
                fewest, chosen = atom, found
        if fewest is None:
            return self._complete(bound)
        others.remove(fewest)
        return self._join(fewest, chosen, others, bound)

    def _join(
        self,
        atom: QueryAtom,
        facts: Sequence[Ground],
        others: Sequence[QueryAtom],
        bound: Slots,
    ) -> bool:
        """Extend the row by each of the facts that an atom may be; return as `_extend` does."""
        if not self._affords(len(facts)):
            return False
        row, after = self._row, bound | atom.slots
        due = self._due(bound, after)
        given = [place for place in atom.places if row[place[1]] is not None]
        new = [place for place in atom.places if row[place[1]] is None]
        fits = True
        for fact in facts:
            if self._bind(fact, given, new) and (not due or self.query.hold(due, row, self.state)):
                fits = self._extend(others, after)
            for _, slot in new:
                row[slot] = None
            if not fits:
                break
        return fits

    def _bind(self, fact: Ground, given: Places, new: Places) -> bool:
        """Put the objects of a fact into the row; return whether its bound places agree with it."""
        row, domains = self._row, self._domains
        for position, slot in given:
            if fact[position] != row[slot]:
                return False
        for position, slot in new:
            name = fact[position]
            # A parameter may have several places.
            if row[slot] is None and name in domains[slot]:
                row[slot] = name
            elif row[slot] != name:
                return False
        return True

    def _complete(self, bound: Slots) -> bool:
        """Give objects to the parameters that no atom has; return as `_extend` does."""
        if bound == self._wanted:
            self._found.append(cast("Arguments", tuple(self._row[: self.query.width])))
            return True
        slot = next(slot for slot, name in enumerate(self._row) if name is None)
        names, after = self._domains[slot], bound | 1 << slot
        if not self._affords(len(names)):
            return False
        due, fits = self._due(bound, after), True
        for name in names:
            self._row[slot] = name
            if not due or self.query.hold(due, self._row, self.state):
                fits = self._complete(after)
                if not fits:
                    break
        self._row[slot] = None
        return fits

    def _affords(self, tries: int) -> bool:
        """Count facts or objects that are tried; return whether the budget suffices."""
        if self._limit is not None:
            self._limit.spend(tries)
        self._left -= tries
        return self._left >= 0

    def _due(self, before: Slots, after: Slots) -> list[Test]:
        # The tests that the last parameters complete are part of the test of the step.
        return self.query.due(before, after) if after != self.query.full else []
