"""The names that a PDDL text may use: types, objects, predicates, functions, actions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy
from graphlib import CycleError, TopologicalSorter

from pddl_pipeline.model.errors import PddlError
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.language import (
    Action,
    Add,
    Axiom,
    Constraint,
    Delete,
    Effect,
    ForEach,
    Types,
    Unsupported,
    Update,
    When,
    walk,
)

OBJECT = "object"


class TypeTree:
    """Types with their parents; a type may have several (``either``), ``object`` is the root."""

    def __init__(self, *, declared: bool) -> None:
        self.declared = declared
        """Whether there is a ``:types`` section. Without one, types are not checked, as in VAL."""
        self.parents: dict[str, set[str]] = {}

    def knows(self, name: str) -> bool:
        """Return whether the type may be used."""
        return not self.declared or name == OBJECT or name in self.parents

    def cycle(self) -> list[str]:
        """Return types each of which is a parent of the one before; none if there is no cycle.

        A type may be listed as its own parent, and ``object`` under other types: public files do
        so, and it says nothing about other types.
        """
        edges = {
            name: [parent for parent in parents if parent != name]
            for name, parents in self.parents.items()
            if name != OBJECT
        }
        try:
            TopologicalSorter(edges).prepare()
        except CycleError as error:
            return [*reversed(error.args[1])]
        return []

    def with_ancestors(self, types: Iterable[str]) -> frozenset[str]:
        """Return the types and all their ancestors."""
        found = {OBJECT}
        queue = list(types)
        while queue:
            name = queue.pop()
            if name not in found:
                found.add(name)
                queue.extend(self.parents.get(name, ()))
        return frozenset(found)

    def fits(self, ancestry: frozenset[str], wanted: Types) -> bool:
        """Return whether an object with these types and ancestors is of a type in ``wanted``."""
        return not self.declared or not ancestry.isdisjoint(wanted)


Signature = tuple[Types, ...]
"""The types allowed at each argument."""


class Vocabulary:
    """The declarations of a domain, to which a problem adds its objects."""

    def __init__(self, name: str, types: TypeTree) -> None:
        self.name = name
        self.types = types
        self.predicates: dict[str, Signature] = {}
        self.functions: dict[str, Signature] = {}
        self.value_types: dict[str, Types] = {}
        """The types of the functions whose values are objects: they are read and not judged."""
        self.actions: dict[str, Action] = {}
        self.prepared: dict[tuple[str, Number], object] = {}
        """What is prepared of an action without its objects, by its name and the tolerance. All
        tasks of the domain share it, so it is prepared once for them."""
        self.objects: dict[str, frozenset[str]] = {}
        """Every object (constants included) with all its types, in the order of declaration."""
        self.strata: list[list[Axiom]] = []
        """The axioms in the order in which they are applied."""
        self.derived: frozenset[str] = frozenset()
        """The names of the derived predicates."""
        self.snaps: dict[str, Action] = {}
        """The parts of durative actions, processes, events and constraints of ENHSP, by the names
        of these with the moment or the kind."""
        self.is_hybrid = False
        """Whether numbers change with time, or events happen: PDDL+."""
        self.constraints: tuple[Constraint, ...] = ()
        """The constraints of the domain."""
        self.preferences: set[str] = set()
        """The names of all preferences."""
        self.unsupported: list[Unsupported] = []
        self.requirements: set[str] = set()
        """What the domain declares, with the requirements that these imply."""
        self.needed: set[str] = set()
        """The requirements of what the text uses, declared or not."""
        self.warnings: tuple[PddlError, ...] = ()
        """What is read although the standard forbids it."""
        self._fitting: dict[Types, dict[str, None]] = {}

    def __getstate__(self) -> dict[str, object]:
        # What is prepared can be prepared again, and functions cannot be pickled. What fits a type
        # depends on the objects, which a copy may change.
        return {**self.__dict__, "prepared": {}, "_fitting": {}}

    @property
    def not_judged(self) -> Unsupported | None:
        """The first part that makes verdicts ``undecided``."""
        return next((part for part in self.unsupported if not part.judged), None)

    def add_object(self, name: str, types: Types) -> None:
        """Declare an object; one that is declared twice has the types of both declarations."""
        ancestry = self.types.with_ancestors(types)
        self.objects[name] = self.objects.get(name, frozenset()) | ancestry
        self._fitting.clear()

    def extended(self) -> Vocabulary:
        """Return a copy to which objects can be added without changing this vocabulary."""
        found = copy(self)
        found.prepared = self.prepared  # which copies leave out, as pickles do
        found.objects = dict(self.objects)
        found.preferences, found.unsupported = set(self.preferences), list(self.unsupported)
        return found

    def without_objects(self) -> Vocabulary:
        """Return a copy without the objects."""
        found = self.extended()
        found.objects = {}
        return found

    def candidates(self, types: Types) -> Collection[str]:
        """Return the objects of these types, in the order of declaration.

        A membership test takes constant time.
        """
        known = self._fitting.get(types)
        if known is None:
            known = {
                name: None
                for name, ancestry in self.objects.items()
                if self.types.fits(ancestry, types)
            }
            self._fitting[types] = known
        return known


def effects_of(vocabulary: Vocabulary) -> list[Effect]:
    """Return the effects of all actions, including those in conditional and universal effects."""
    actions = (*vocabulary.actions.values(), *vocabulary.snaps.values())
    every = (part for action in actions for part, _ in walk(*action.effects))
    return [part for part in every if isinstance(part, (Add, Delete, Update, When, ForEach))]


def changing_predicates(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the names of the predicates that actions change or axioms derive."""
    effects = effects_of(vocabulary)
    changed = {effect.atom.predicate for effect in effects if isinstance(effect, (Add, Delete))}
    return frozenset(changed | vocabulary.derived)
