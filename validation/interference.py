"""Whether steps may happen at the same time: the mutex rule of PDDL 2.1.

Fox and Long 2003, definition 12: two ground actions interfere if one changes an atom that the other
reads or changes in the opposite way, or a fluent that the other reads or changes. Two actions that
only increase or decrease a fluent do not interfere over it. Actions are ground as in definition 6:
the condition of a conditional effect is always read, and its effects count if it holds. A step that
reads a derived atom reads everything that the atom may depend on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pddl_pipeline.model.errors import StepFails
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.language import (
    Action,
    Atom,
    Binding,
    Fluent,
    ForEach,
    Formula,
    Ground,
    Quantified,
    When,
    ground,
    parts,
)
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.stratification import Sources


class _Footprint:
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

    def read(self, formula: Formula, binding: Binding) -> None:
        """Collect what a formula reads; a quantifier reads its part for every object.

        Raises:
            NotJudged: a quantifier ranges over too many objects.
        """
        inner, bindings = parts(formula), iter([binding])
        match formula:
            case Atom(predicate, terms):
                self.atoms.add(ground(predicate, terms, binding))
                if predicate in self._sources:
                    self.predicates |= self._sources[predicate].predicates
                    self.functions |= self._sources[predicate].functions
            case Fluent(function, terms):
                self.fluents.add(ground(function, terms, binding))
            case When(condition, _) if not self._semantics.holds(condition, binding, self._state):
                inner = (condition,)
            case Quantified(_, variables, _) | ForEach(variables, _):
                bindings = self._semantics.bindings(variables, binding)
        for widened in bindings:
            for part in inner:
                self.read(part, widened)


class Simultaneous:
    """Steps at one time that do not interfere, recorded by what they read and change."""

    def __init__(self, semantics: Semantics, sources: Sources, state: State) -> None:
        self._given = semantics, sources, state
        self._adders: dict[Ground, int] = {}
        self._deleters: dict[Ground, int] = {}
        self._updaters: dict[Ground, int] = {}
        self._absolute: dict[Ground, int] = {}
        """Steps that change a fluent other than by increasing or decreasing it."""
        self._readers: dict[Ground, int] = {}
        self._fluent_readers: dict[Ground, int] = {}
        self._predicate_readers: dict[str, int] = {}
        self._function_readers: dict[str, int] = {}

    def add(
        self, position: int, action: Action, arguments: Sequence[str], changes: Changes
    ) -> None:
        """Add a step.

        Args:
            position: its 1-based position in the plan.
            action: its action.
            arguments: the objects.
            changes: what it changes.

        Raises:
            StepFails: it interferes with a step before.
            NotJudged: a quantifier ranges over too many objects.
        """
        footprint, binding = _Footprint(*self._given), action.binding(arguments)
        for formula in (action.precondition, *action.effects):
            footprint.read(formula, binding)
        absolute = {
            fluent
            for fluent, operator, _ in changes.updates
            if operator not in ("increase", "decrease")
        }
        clash = min(self._clashes(footprint, changes, absolute), default=None)
        if clash is not None:
            shared, other = atom_text(clash[0]), clash[1]
            reason = f"steps {other} and {position} at the same time interfere over {shared}"
            raise StepFails(reason, step=position)
        for known, new in (
            (self._adders, changes.adds),
            (self._deleters, changes.deletes),
            (self._updaters, changes.values),
            (self._absolute, absolute),
            (self._readers, footprint.atoms),
            (self._fluent_readers, footprint.fluents),
        ):
            known.update(dict.fromkeys(new, position))
        self._predicate_readers.update(dict.fromkeys(footprint.predicates, position))
        self._function_readers.update(dict.fromkeys(footprint.functions, position))

    def _clashes(
        self, footprint: _Footprint, changes: Changes, absolute: set[Ground]
    ) -> Iterator[tuple[Ground, int]]:
        """Yield the atoms and fluents over which a step interferes, and with which step."""
        added, deleted, updated = set(changes.adds), set(changes.deletes), changes.values.keys()
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
