"""The applicable steps in a state and the states that they lead to.

The positive atoms of a precondition are joined: at each point the atom with the fewest facts that
agree with what is bound comes next, and another part of the precondition is tested once its
parameters are bound. Lifted successors as joins are due to Correa et al. (ICAPS 2020), the order to
Helmert (2009, section 6).

A join that tries more than `BUDGET` facts is not finished. Instead, its first open parameter takes
the objects one after the other that arc consistency leaves (Mackworth 1977), of which nearly all
have results if the join is acyclic (Yannakakis 1981); and nothing is tried if one of several atoms'
groups that share no open parameter has no results. So the first results come early, and no more
than a budget's worth of them is stored in order to be sorted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, cast

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.axioms import Axioms
from pddl_pipeline.validation.language import (
    Action,
    Atom,
    Condition,
    Fluent,
    Ground,
    Quantified,
    Same,
    conjuncts,
    walk,
)
from pddl_pipeline.validation.matching import FactIndex, Places, Row, StaticFacts
from pddl_pipeline.validation.schema import GroundStep, Schemas
from pddl_pipeline.validation.semantics import Environment, Frame, Semantics, Test, WorkLimit
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.vocabulary import Vocabulary

Slots = int
"""A set of slots, as bits."""


Domains = Sequence[Collection[str]]
"""The objects that each slot may hold."""


class QueryAtom(NamedTuple):
    """An atom that must be a fact."""

    predicate: str
    places: Places
    slots: Slots
    """The parameters among its terms."""


class QueryTest(NamedTuple):
    """A condition without quantifiers that must hold."""

    slots: Slots
    """Its parameters; it is tested once they are bound."""
    holds: Test


class Query:
    """The precondition of an action.

    Each parameter has a slot, in the order of the parameters, then each constant of an atom.
    """

    def __init__(self, action: Action, semantics: Semantics, vocabulary: Vocabulary) -> None:
        names = [variable.name for variable in action.parameters]
        self.width = len(names)
        """Number of parameters."""
        self.full: Slots = (1 << self.width) - 1
        """The slots of all parameters."""
        self._slot = {name: slot for slot, name in enumerate(names)}
        parts = list(conjuncts(action.precondition))
        atoms = dict.fromkeys(part for part in parts if isinstance(part, Atom))
        self.atoms = tuple(map(self._atom, atoms))
        constants = tuple(self._slot)[self.width :]
        self.row: tuple[str | None, ...] = (*(None for _ in names), *constants)
        """The row in which no parameter is bound."""
        self.domains: Domains = (
            *(vocabulary.candidates(variable.types) for variable in action.parameters),
            *((name,) for name in constants),
        )
        """For each parameter the objects of its type."""
        frame = Frame(names)
        tested = [(part, _terms(part)) for part in parts if not isinstance(part, Atom)]
        self._tests = [
            QueryTest(self._mask(terms), semantics.condition(part, frame))
            for part, terms in tested
            if terms is not None
        ]
        self.ground = [test.holds for test in self._tests if not test.slots]
        """The tests without parameters."""
        self._words = frame.words

    def _atom(self, atom: Atom) -> QueryAtom:
        slots = [self._slot.setdefault(term, len(self._slot)) for term in atom.terms]
        return QueryAtom(atom.predicate, tuple(enumerate(slots, start=1)), self._mask(atom.terms))

    def _mask(self, terms: Collection[str]) -> Slots:
        # A set, since a parameter may stand twice; the bits of different ones just add up.
        return sum({1 << self._slot[term] for term in terms if term.startswith("?")})

    def due(self, before: Slots, after: Slots) -> list[Test]:
        """Return the tests whose last parameter is bound between two sets of bound parameters."""
        return [test.holds for test in self._tests if not test[0] & ~after and test[0] & ~before]

    def hold(self, tests: Iterable[Test], row: Row, state: State) -> bool:
        """Return whether tests hold whose parameters are bound.

        A test that cannot be evaluated fails, as its step does. A test that exceeds the limits of
        the validator passes: the test of the whole step reports it.
        """
        environment = cast("Environment", (*row[: self.width], *self._words))
        for test in tests:
            try:
                if not test(environment, state):
                    return False
            except CannotEvaluate:
                return False
            except NotJudged:
                continue
        return True


def slots_of(atoms: Iterable[QueryAtom]) -> Slots:
    """Return the parameters of atoms."""
    found = 0
    for atom in atoms:
        found |= atom.slots
    return found


def independent(atoms: Iterable[QueryAtom], bound: Slots) -> list[list[QueryAtom]]:
    """Return the atoms in groups that share no parameters but those that are bound."""
    groups: list[list[QueryAtom]] = []
    for atom in atoms:
        linked = [group for group in groups if slots_of(group) & atom.slots & ~bound]
        groups = [group for group in groups if group not in linked]
        groups.append([*(each for group in linked for each in group), atom])
    return groups


def _terms(condition: Condition) -> set[str] | None:
    """Return the terms of a condition; None if it has a quantifier, which may take long to test."""
    found = set[str]()
    for part, _ in walk(condition):
        match part:
            case Atom(_, terms) | Fluent(_, terms):
                found.update(terms)
            case Same(left, right):
                found |= {left, right}
            case Quantified():
                return None
    return found


def consistent(query: Query, index: FactIndex, row: Row, domains: Domains) -> Domains | None:
    """Return the objects that are left to each slot; None if one has none left.

    Args:
        query: the query.
        index: the facts.
        row: the objects of the slots that are bound.
        domains: the objects that the others may hold.
    """
    left: list[Collection[str]] = [
        domain if name is None else (name,) for name, domain in zip(row, domains, strict=True)
    ]
    queue = dict.fromkeys(query.atoms)
    while queue:
        atom = next(iter(queue))
        del queue[atom]
        facts = _facts(atom, index, row, left)
        if not facts:
            return None
        shrunk = 0
        for position, slot in atom.places:
            names = {fact[position] for fact in facts}
            if len(names) < len(left[slot]):
                left[slot] = names
                shrunk |= 1 << slot
        # As in AC-3: only atoms whose slots have lost objects are revised again.
        queue |= dict.fromkeys(other for other in query.atoms if other.slots & shrunk)
    return left


def _facts(atom: QueryAtom, index: FactIndex, row: Row, left: Domains) -> list[Ground]:
    """Return the facts that an atom may be if its terms are among the objects that are left."""
    found = (
        fact
        for fact in index.matching(atom.predicate, atom.places, row)
        if all(fact[position] in left[slot] for position, slot in atom.places)
    )
    slots = len({slot for _, slot in atom.places})
    if slots == len(atom.places):
        return list(found)
    # A parameter that has several places has the same object in all of them.
    return [
        fact
        for fact in found
        if len({(slot, fact[position]) for position, slot in atom.places}) == slots
    ]


BUDGET: Final = 10_000
"""Number of facts and objects that a join may try before it is split."""

Arguments = tuple[str, ...]


def joined(  # noqa: PLR0913, PLR0917 -- a query, a state, and what restricts the join
    query: Query,
    index: FactIndex,
    state: State,
    limit: WorkLimit | None = None,
    row: Row | None = None,
    bound: Slots = 0,
) -> Iterator[Arguments]:
    """Yield the arguments that may satisfy a precondition, sorted and without duplicates.

    Its positive atoms hold for them; of its other parts, some are left to be tested. The index
    holds the facts of the state. A row gives the objects of the parameters in `bound`.

    Raises:
        NotJudged: the work limit is exceeded; None means no limit.
    """
    row = list(query.row if row is None else row)
    if not query.ground or query.hold(query.ground, row, state):
        yield from _sorted(_Search(query, index, state, limit), row, query.domains, bound)


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
    # One parameter at a time, each with a new budget for what is left.
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
            # All its terms are bound: it is a lookup, and no join.
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


class Successor(NamedTuple):
    """An applicable step and the state after it."""

    step: Step
    state: State


class SuccessorGenerator:
    """The actions of a task, prepared to find the applicable steps of any state."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        semantics: Semantics,
        schemas: Schemas,
        axioms: Axioms,
        static: StaticFacts,
    ) -> None:
        self._axioms = axioms
        self._static = static
        self._actions = [
            (name, schemas[name], Query(schemas[name].action, semantics, vocabulary))
            for name in sorted(vocabulary.actions)
        ]

    def successors(self, state: State, limit: WorkLimit | None = None) -> Iterator[Successor]:
        """Yield the successors of a state, sorted by action and arguments.

        Each is computed when it is asked for. The state must not change meanwhile.
        """
        index = self._static.index(state.facts)
        for name, schema, query in self._actions:
            for arguments in joined(query, index, state, limit):
                try:
                    changes = GroundStep(schema, (name, *arguments)).changes(state)
                except CannotEvaluate:
                    continue
                if changes is not None:
                    after = state.copy()
                    changes.apply(after)
                    self._axioms.complete(after)
                    yield Successor(Step(name, arguments), after)
