"""The names that a PDDL text may use: types, objects, predicates, functions."""

from __future__ import annotations

from dataclasses import dataclass, field

from pddl_pipeline.validation.language import Action, Types, Unsupported, Variable
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
    unsupported: list[Unsupported] = field(default_factory=list)
    _fitting: dict[Types, tuple[str, ...]] = field(default_factory=dict)

    def add_object(self, name: str, types: Types) -> None:
        """Declare an object; declared again, it has the types of both."""
        ancestry = self.types.with_ancestors(types)
        self.objects[name] = self.objects.get(name, frozenset()) | ancestry

    def extended(self) -> Vocabulary:
        """Return a copy whose objects can grow without changing this one."""
        return Vocabulary(
            self.name,
            self.types,
            self.predicates,
            self.functions,
            self.actions,
            dict(self.objects),
            list(self.unsupported),
        )

    def candidates(self, variable: Variable) -> tuple[str, ...]:
        """Return the objects that a variable can stand for, in the order of declaration."""
        known = self._fitting.get(variable.types)
        if known is None:
            known = tuple(
                name
                for name, ancestry in self.objects.items()
                if self.types.fits(ancestry, variable.types)
            )
            self._fitting[variable.types] = known
        return known
