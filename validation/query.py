"""The precondition of an action as a query over the facts of a state, prepared for joins."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, cast

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.frame import Environment, Frame
from pddl_pipeline.validation.language import (
    Action,
    Atom,
    Condition,
    Fluent,
    Quantified,
    Same,
    conjuncts,
    walk,
)
from pddl_pipeline.validation.matching import Places, Row
from pddl_pipeline.validation.semantics import Semantics, Test
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
        self.ground = [each.holds for each in self._tests if not each.slots]
        """The tests without parameters."""
        self._words = frame.words

    def _atom(self, atom: Atom) -> QueryAtom:
        slots = [self._slot.setdefault(term, len(self._slot)) for term in atom.terms]
        return QueryAtom(atom.predicate, tuple(enumerate(slots, start=1)), self._mask(atom.terms))

    def _mask(self, terms: Collection[str]) -> Slots:
        return sum({1 << self._slot[term] for term in terms if term.startswith("?")})

    def due(self, before: Slots, after: Slots) -> list[Test]:
        """Return the tests whose last parameter is bound between two sets of bound parameters."""
        return [each.holds for each in self._tests if not each[0] & ~after and each[0] & ~before]

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
