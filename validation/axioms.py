"""Derived predicates: complete states with the atoms that the axioms derive.

The semantics is that of PDDL 2.2 (Edelkamp and Hoffmann 2004, section 3): stratum by stratum, the
least set of atoms that is closed under the rules. It is computed bottom-up: each rule is joined
with the facts, and then again with each new atom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import (
    And,
    Atom,
    Axiom,
    Binding,
    Condition,
    Ground,
    Or,
    Quantified,
    Variable,
)
from pddl_pipeline.validation.matching import FactIndex, completed, matches, unified
from pddl_pipeline.validation.schema import Conjunction, GroundConjunction
from pddl_pipeline.validation.semantics import Frame, Semantics, WorkLimit
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.stratification import reads
from pddl_pipeline.validation.vocabulary import Vocabulary

_MOST_BODIES: Final = 64
"""A body with more alternatives is tested as a single condition instead."""


class _Body(NamedTuple):
    """One alternative of a rule's body."""

    variables: tuple[Variable, ...] = ()
    """The variables of ``exists``; they are joined like those of the head."""
    atoms: tuple[Atom, ...] = ()
    rest: tuple[Condition, ...] = ()
    """Conditions to test once all variables are bound."""


class Axioms:
    """The axioms of a task, ready to complete states."""

    def __init__(self, vocabulary: Vocabulary, semantics: Semantics) -> None:
        self._limit = WorkLimit()
        self._strata = [
            [
                _Rule(axiom, body, vocabulary, semantics, self._limit)
                for axiom in stratum
                for body in _bodies(axiom.body, {variable.name for variable in axiom.variables})
            ]
            for stratum in vocabulary.strata
        ]
        self._derived = vocabulary.derived

    def complete(self, state: State) -> None:
        """Replace the derived atoms of a state with those that its other facts entail.

        Raises:
            NotJudged: a rule reads an undefined fluent or divides by zero, or the work limit is
                exceeded. The state then lacks some of its derived atoms.
        """
        if not self._derived:
            return
        self._limit.begin()
        stale = [fact for fact in state.facts if fact[0] in self._derived]
        state.facts.difference_update(stale)
        index = FactIndex(state.facts)
        for stratum in self._strata:
            # At least two passes: conditions outside the joins may also read this stratum.
            while new := {fact for rule in stratum for fact in rule.derived(index, state)}:
                _spread(new, stratum, index, state)


class _Rule:
    """A rule whose body is a conjunction."""

    def __init__(
        self,
        axiom: Axiom,
        body: _Body,
        vocabulary: Vocabulary,
        semantics: Semantics,
        limit: WorkLimit,
    ) -> None:
        self._limit = limit
        variables = self._variables = (*axiom.variables, *body.variables)
        self._vocabulary = vocabulary
        self._atoms = body.atoms
        frame = Frame(variable.name for variable in variables)
        self._head = frame.pick(axiom.head.predicate, *axiom.head.terms)
        self._rest = Conjunction(semantics, And(body.rest), frame)
        self._words = frame.words

    def derived(self, index: FactIndex, state: State) -> Iterator[Ground]:
        """Yield the facts that the rule derives and that are not in the state yet."""
        return self._derive(self._atoms, {}, index, state)

    def derived_from(self, fact: Ground, index: FactIndex, state: State) -> Iterator[Ground]:
        """Yield the facts of `derived` whose derivation uses ``fact`` as an atom of the body."""
        for position, atom in enumerate(self._atoms):
            if atom.predicate == fact[0]:
                binding = unified(atom, fact, {})
                if binding is not None:
                    others = (*self._atoms[:position], *self._atoms[position + 1 :])
                    yield from self._derive(others, binding, index, state)

    def _derive(
        self, atoms: Sequence[Atom], binding: Binding, index: FactIndex, state: State
    ) -> Iterator[Ground]:
        for match in matches(atoms, binding, index, self._limit):
            for objects in completed(self._vocabulary, self._variables, match):
                self._limit.spend()
                environment = (*objects, *self._words)
                fact = self._head(environment)
                if fact not in state.facts and self._holds(fact, environment, state):
                    yield fact

    def _holds(self, fact: Ground, environment: tuple[str, ...], state: State) -> bool:
        try:
            return GroundConjunction(self._rest, environment).holds(state)
        except CannotEvaluate as error:
            raise NotJudged(f"cannot decide {atom_text(fact)}: {error}") from None


def _spread(new: set[Ground], stratum: Sequence[_Rule], index: FactIndex, state: State) -> None:
    """Add new facts and all facts that the rules derive from them."""
    queue = sorted(new)
    while queue:
        fact = queue.pop()
        if fact not in state.facts:
            state.facts.add(fact)
            index.add(fact)
            for rule in stratum:
                queue.extend(rule.derived_from(fact, index, state))


def _bodies(condition: Condition, taken: set[str]) -> list[_Body]:
    """Return alternatives whose disjunction is the condition, with as many joins as possible.

    Args:
        condition: the body of a rule, or a part of it.
        taken: variables that are already in scope. An ``exists`` that shadows one of them stays
            a condition to test.
    """
    match condition:
        case Atom():
            return [_Body(atoms=(condition,))]
        case And(parts):
            bodies = [_Body()]
            for part in parts:
                names = taken | {v.name for body in bodies for v in body.variables}
                bodies = [_joined(a, b) for a, b in product(bodies, _bodies(part, names))]
                if len(bodies) > _MOST_BODIES:
                    return [_Body(rest=(condition,))]
            return bodies
        case Or(parts) if not any(map(_compares, parts)):
            return [body for part in parts for body in _bodies(part, taken)]
        case Quantified(False, variables, part) if not (
            _compares(part) or any(v.name in taken for v in variables)
        ):
            inner = _bodies(part, taken | {v.name for v in variables})
            return [body._replace(variables=(*variables, *body.variables)) for body in inner]
    return [_Body(rest=(condition,))]


def _compares(condition: Condition) -> bool:
    """Return whether a condition reads numbers.

    An ``or`` of such parts must short-circuit, and an ``exists`` evaluates all its instances.
    """
    return any(read.function for read in reads(condition))


def _joined(left: _Body, right: _Body) -> _Body:
    return _Body(left.variables + right.variables, left.atoms + right.atoms, left.rest + right.rest)
