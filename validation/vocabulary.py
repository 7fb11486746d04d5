"""The names that a PDDL text may use: types, objects, predicates, functions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from pddl_pipeline.validation.language import Action, Axiom, Types, Unsupported
from pddl_pipeline.validation.type_tree import TypeTree

Signature = tuple[Types, ...]
"""The types allowed at each argument."""


@dataclass(slots=True)
class Vocabulary:
    """What a domain declares, to which a problem adds its objects."""

    name: str
    types: TypeTree
    predicates: dict[str, Signature] = field(default_factory=dict)
    functions: dict[str, Signature] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    objects: dict[str, frozenset[str]] = field(default_factory=dict)
    """Every object (constants included) with all its types, in the order of declaration."""
    strata: list[list[Axiom]] = field(default_factory=list)
    """The axioms in the order in which they are applied."""
    unsupported: list[Unsupported] = field(default_factory=list)
    _fitting: dict[Types, dict[str, None]] = field(default_factory=dict)

    @property
    def derived(self) -> set[str]:
        """The names of the derived predicates."""
        return {axiom.head.predicate for stratum in self.strata for axiom in stratum}

    def add_object(self, name: str, types: Types) -> None:
        """Declare an object; declared again, it has the types of both."""
        ancestry = self.types.with_ancestors(types)
        self.objects[name] = self.objects.get(name, frozenset()) | ancestry
        self._fitting.clear()

    def extended(self) -> Vocabulary:
        """Return a copy whose objects can grow without changing this one."""
        return Vocabulary(
            self.name,
            self.types,
            self.predicates,
            self.functions,
            self.actions,
            dict(self.objects),
            self.strata,
            list(self.unsupported),
        )

    def candidates(self, types: Types) -> Collection[str]:
        """Return the objects of these types, in the order of declaration.

        Whether an object is among them is told in constant time.
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
