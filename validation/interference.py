"""Whether two steps may happen at the same time: the mutex rule of PDDL 2.1.

Fox and Long 2003, definition 12: two ground actions interfere when one changes an atom that the
other reads or changes the other way, or a fluent that the other reads or changes; two that only
increase and decrease a fluent do not interfere by that. A step that reads a derived atom reads all
that the atom may depend on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pddl_pipeline.validation.language import (
    Action,
    And,
    Arithmetic,
    Atom,
    Binding,
    Comparison,
    Condition,
    Effect,
    Expression,
    Fluent,
    ForEach,
    Ground,
    Imply,
    Not,
    Or,
    Quantified,
    Update,
    When,
    ground,
)
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import Changes

_ADDITIVE = ("increase", "decrease")


@dataclass(slots=True)
class Footprint:
    """What one step reads and changes."""

    changes: Changes
    atoms_read: set[Ground] = field(default_factory=set)
    fluents_read: set[Ground] = field(default_factory=set)
    names_read: set[str] = field(default_factory=set)
    """Predicates and functions that decide about derived atoms which the step reads."""
    additive: set[Ground] = field(default_factory=set)
    """Fluents that are only increased and decreased."""

    def interferes(self, other: Footprint) -> Ground | None:
        """Return an atom or fluent over which the two steps interfere, or None."""
        return min((*self._disturbs(other), *other._disturbs(self)), default=None)

    def _disturbs(self, other: Footprint) -> set[Ground]:
        mine, theirs = self.changes, other.changes
        written = {*mine.adds, *mine.deletes}
        both = mine.values.keys() & theirs.values.keys()
        clashes = set(mine.adds) & set(theirs.deletes)
        clashes |= written & other.atoms_read
        clashes |= mine.values.keys() & other.fluents_read
        clashes |= both - (self.additive & other.additive)
        written |= mine.values.keys()
        return clashes | {each for each in written if each[0] in other.names_read}


class FootprintReader:
    """Collects the footprint of one step; quantifiers are read for every object."""

    def __init__(
        self,
        semantics: Semantics,
        sources: Mapping[str, frozenset[str]],
        changes: Changes,
    ) -> None:
        self._semantics = semantics
        self._sources = sources
        self.found = Footprint(changes)

    def read(self, action: Action, binding: Binding) -> Footprint:
        """Return the footprint of an action with this binding."""
        self._condition(action.precondition, binding)
        self._effects(action.effects, binding)
        return self.found

    def _condition(self, condition: Condition, binding: Binding) -> None:
        match condition:
            case Atom(predicate, terms):
                self.found.atoms_read.add(ground(predicate, terms, binding))
                self.found.names_read |= self._sources.get(predicate, frozenset())
            case Comparison(_, left, right):
                self._expression(left, binding)
                self._expression(right, binding)
            case Not(part):
                self._condition(part, binding)
            case And(parts) | Or(parts):
                for part in parts:
                    self._condition(part, binding)
            case Imply(left, right):
                self._condition(left, binding)
                self._condition(right, binding)
            case Quantified(_, variables, part):
                for widened in self._semantics.bindings(variables, binding):
                    self._condition(part, widened)

    def _expression(self, expression: Expression, binding: Binding) -> None:
        match expression:
            case Fluent(function, terms):
                self.found.fluents_read.add(ground(function, terms, binding))
            case Arithmetic(_, operands):
                for operand in operands:
                    self._expression(operand, binding)

    def _effects(self, effects: tuple[Effect, ...], binding: Binding) -> None:
        for effect in effects:
            match effect:
                case Update(operator, fluent, value):
                    self._expression(value, binding)
                    if operator in _ADDITIVE:
                        self.found.additive.add(ground(fluent.function, fluent.terms, binding))
                case When(condition, inner):
                    self._condition(condition, binding)
                    self._effects(inner, binding)
                case ForEach(variables, inner):
                    for widened in self._semantics.bindings(variables, binding):
                        self._effects(inner, widened)
