"""The names that a PDDL text may use: types, objects, predicates, functions."""

from __future__ import annotations

from collections.abc import Collection

from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.language import Action, Axiom, Types, Unsupported
from pddl_pipeline.validation.type_tree import TypeTree

Signature = tuple[Types, ...]
"""The types allowed at each argument."""


class Vocabulary:
    """The declarations of a domain, to which a problem adds its objects."""

    def __init__(self, name: str, types: TypeTree) -> None:
        self.name = name
        self.types = types
        self.predicates: dict[str, Signature] = {}
        self.functions: dict[str, Signature] = {}
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
        self.unsupported: list[Unsupported] = []
        self._fitting: dict[Types, dict[str, None]] = {}

    def __getstate__(self) -> dict[str, object]:
        # What is prepared can be prepared again, and functions cannot be pickled.
        return {**self.__dict__, "prepared": {}}

    def add_object(self, name: str, types: Types) -> None:
        """Declare an object; one that is declared twice has the types of both declarations."""
        ancestry = self.types.with_ancestors(types)
        self.objects[name] = self.objects.get(name, frozenset()) | ancestry
        self._fitting.clear()

    def extended(self) -> Vocabulary:
        """Return a copy to which objects can be added without changing this vocabulary."""
        copy = Vocabulary(self.name, self.types)
        copy.predicates = self.predicates
        copy.functions = self.functions
        copy.actions, copy.prepared = self.actions, self.prepared
        copy.strata, copy.derived = self.strata, self.derived
        copy.objects = dict(self.objects)
        copy.unsupported = list(self.unsupported)
        return copy

    def without_objects(self) -> Vocabulary:
        """Return a copy without the objects."""
        copy = self.extended()
        copy.objects = {}
        return copy

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
