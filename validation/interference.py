"""Whether two steps may happen at the same time: the mutex rule of PDDL 2.1.

Fox and Long 2003, definition 12: two ground actions interfere when one changes an atom that the
other reads or changes the other way, or a fluent that the other reads or changes; two that only
increase and decrease a fluent do not interfere by that.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pddl_pipeline.validation.language import (
    Action,
    And,
    Arithmetic,
    Atom,
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
)
from pddl_pipeline.validation.semantics import Binding, Semantics, ground
from pddl_pipeline.validation.state import Changes

_ADDITIVE = ("increase", "decrease")


@dataclass(slots=True)
class Footprint:
    """What one step reads and changes."""

    changes: Changes
    atoms_read: set[Ground] = field(default_factory=set)
    fluents_read: set[Ground] = field(default_factory=set)
    additive: set[Ground] = field(default_factory=set)
    """Fluents that are only increased and decreased."""

    def interferes(self, other: Footprint) -> Ground | None:
        """Return an atom or fluent over which the two steps interfere, or None."""
        return min((*self._disturbs(other), *other._disturbs(self)), default=None)

    def _disturbs(self, other: Footprint) -> set[Ground]:
        mine, theirs = self.changes, other.changes
        atoms = (mine.adds | mine.deletes) & other.atoms_read
        both = mine.values.keys() & theirs.values.keys()
        fluents = (mine.values.keys() & other.fluents_read) | (
            both - (self.additive & other.additive)
        )
        return atoms | (mine.adds & theirs.deletes) | fluents


class FootprintReader:
    """Collects the footprint of one step; quantifiers are read for every object."""

    def __init__(self, semantics: Semantics, changes: Changes) -> None:
        self._semantics = semantics
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
