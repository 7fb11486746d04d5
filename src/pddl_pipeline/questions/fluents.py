"""The fluents of a task: its predicates and functions that the effects of actions change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.search.changing import changing
from pddl_pipeline.search.world import value_text
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.validation.language import TOTAL_COST, Ground
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import OBJECT

_COST: Final = TOTAL_COST.function
"""The cost of plans is not part of a state: no question describes it or asks for it."""


def atom_words(text: str) -> Ground:
    """Return the words of a ground atom; the inverse of `atom_text`."""
    return tuple(text.replace("(", " ").replace(")", " ").split())


@dataclass(frozen=True, slots=True)
class Fluents:
    """The vocabulary in which states of a task are described."""

    types: Mapping[str, tuple[str, ...]]
    """The objects of each type, sorted."""
    predicates: Mapping[str, tuple[tuple[str, ...], ...]]
    """For every predicate that may change, the types that each argument may have."""
    functions: Mapping[str, int]
    """The number of arguments of every function whose value may change, without the cost."""

    def changing(self, facts: Iterable[Ground], values: Mapping[Ground, Number]) -> frozenset[str]:
        """Return the atoms and values of a state that may change, as PDDL."""
        return frozenset(
            [atom_text(fact) for fact in facts if fact[0] in self.predicates]
            + [value_text(*item) for item in values.items() if item[0][0] in self.functions]
        )

    def constant(self, facts: Iterable[Ground], values: Mapping[Ground, Number]) -> list[str]:
        """Return the atoms and values that no action changes, as PDDL, sorted."""
        functions = {*self.functions, _COST}
        return sorted(
            [atom_text(fact) for fact in facts if fact[0] not in self.predicates]
            + [value_text(*item) for item in values.items() if item[0][0] not in functions],
            key=natural,
        )

    def fits(self, atom: Ground) -> bool:
        """Return whether an atom's objects have the types of its predicate's arguments."""
        signature = self.predicates.get(atom[0], ())
        if len(signature) != len(atom) - 1:
            return False
        return all(
            any(name in self.types.get(kind, ()) for kind in kinds)
            for name, kinds in zip(atom[1:], signature, strict=True)
        )


def fluents_of(task: Task) -> Fluents:
    """Return the fluents of a task, including the predicates that axioms derive."""
    vocabulary, changed = task.vocabulary, changing(task)
    types: dict[str, list[str]] = {}
    for name, ancestry in vocabulary.objects.items():
        for kind in {*ancestry, OBJECT}:
            types.setdefault(kind, []).append(name)
    return Fluents(
        {kind: tuple(sorted(names, key=natural)) for kind, names in sorted(types.items())},
        {
            name: kinds
            for name, kinds in sorted(vocabulary.predicates.items())
            if name in changed.predicates
        },
        {
            name: len(kinds)
            for name, kinds in sorted(vocabulary.functions.items())
            if name in changed.functions and name != _COST
        },
    )
