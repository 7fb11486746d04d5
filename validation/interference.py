"""Whether steps may happen at the same time: the mutex rule of PDDL 2.1.

Fox and Long 2003, definition 12: two ground actions interfere if one changes an atom that the other
reads or changes in the opposite way, or a fluent that the other reads or changes. Two actions that
only increase or decrease a fluent do not interfere over it. Actions are ground as in definition 6:
the condition of a conditional effect is always read, and its effects count if it holds. A step that
reads a derived atom reads everything that the atom may depend on.
"""

from __future__ import annotations

from collections.abc import Iterator

from pddl_pipeline.model.atom import atom_text
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
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.stratification import Sources


class Footprint:
    """What one step reads in a state."""

    def __init__(self, semantics: Semantics, sources: Sources, state: State) -> None:
        self._semantics = semantics
        self._sources = sources
        self._state = state
        self.atoms: set[Ground] = set()
        self.fluents: set[Ground] = set()
        self.predicates: set[str] = set()
        """Predicates on which the derived atoms that the step reads may depend."""
        self.functions: set[str] = set()

    def read(self, action: Action, binding: Binding) -> None:
        """Collect what an action reads; a quantifier reads its part for every object.

        Raises:
            NotJudged: a quantifier ranges over too many objects.
        """
        self._condition(action.precondition, binding)
        self._effects(action.effects, binding)

    def _condition(self, condition: Condition, binding: Binding) -> None:
        match condition:
            case Atom(predicate, terms):
                self.atoms.add(ground(predicate, terms, binding))
                if predicate in self._sources:
                    self.predicates |= self._sources[predicate].predicates
                    self.functions |= self._sources[predicate].functions
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
                self.fluents.add(ground(function, terms, binding))
            case Arithmetic(_, operands):
                for operand in operands:
                    self._expression(operand, binding)

    def _effects(self, effects: tuple[Effect, ...], binding: Binding) -> None:
        for effect in effects:
            match effect:
                case Update(_, _, value):
                    self._expression(value, binding)
                case When(condition, inner):
                    self._condition(condition, binding)
                    if self._semantics.holds(condition, binding, self._state):
                        self._effects(inner, binding)
                case ForEach(variables, inner):
                    for widened in self._semantics.bindings(variables, binding):
                        self._effects(inner, widened)


class Simultaneous:
    """Steps at one time that do not interfere, recorded by what they read and change."""

    def __init__(self) -> None:
        self._adders: dict[Ground, int] = {}
        self._deleters: dict[Ground, int] = {}
        self._updaters: dict[Ground, int] = {}
        self._absolute: dict[Ground, int] = {}
        """Steps that change a fluent other than by increasing or decreasing it."""
        self._readers: dict[Ground, int] = {}
        self._fluent_readers: dict[Ground, int] = {}
        self._predicate_readers: dict[str, int] = {}
        self._function_readers: dict[str, int] = {}

    def clash(self, footprint: Footprint, changes: Changes) -> tuple[str, int] | None:
        """Return the atom or fluent over which a further step interferes, and with which step.

        The atom or fluent is PDDL text. Return None if the step does not interfere.
        """
        found = min(self._clashes(footprint, changes), default=None)
        return None if found is None else (atom_text(found[0]), found[1])

    def _clashes(self, footprint: Footprint, changes: Changes) -> Iterator[tuple[Ground, int]]:
        added, deleted, updated = set(changes.adds), set(changes.deletes), changes.values.keys()
        absolute = _absolute(changes)
        for mine, theirs in (
            (added, self._deleters),
            (deleted, self._adders),
            (added | deleted, self._readers),
            (footprint.atoms, self._adders),
            (footprint.atoms, self._deleters),
            (updated, self._fluent_readers),
            (footprint.fluents, self._updaters),
            (updated, self._absolute),
            (absolute, self._updaters),
        ):
            yield from ((each, theirs[each]) for each in mine if each in theirs)
        for written, readers, names, writers in (
            (added | deleted, self._predicate_readers, footprint.predicates,
             {**self._adders, **self._deleters} if footprint.predicates else {}),
            (updated, self._function_readers, footprint.functions,
             self._updaters if footprint.functions else {}),
        ):  # fmt: skip
            yield from ((each, readers[each[0]]) for each in written if each[0] in readers)
            yield from ((each, step) for each, step in writers.items() if each[0] in names)

    def add(self, step: int, footprint: Footprint, changes: Changes) -> None:
        """Add a step that does not interfere with the others; ``step`` is its position."""
        self._adders.update(dict.fromkeys(changes.adds, step))
        self._deleters.update(dict.fromkeys(changes.deletes, step))
        self._updaters.update(dict.fromkeys(changes.values, step))
        self._absolute.update(dict.fromkeys(_absolute(changes), step))
        self._readers.update(dict.fromkeys(footprint.atoms, step))
        self._fluent_readers.update(dict.fromkeys(footprint.fluents, step))
        self._predicate_readers.update(dict.fromkeys(footprint.predicates, step))
        self._function_readers.update(dict.fromkeys(footprint.functions, step))


def _absolute(changes: Changes) -> set[Ground]:
    """Return the fluents that are changed other than by increasing or decreasing them."""
    return {
        fluent
        for fluent, operator, _ in changes.updates
        if operator not in ("increase", "decrease")
    }
