"""What may change in a task: its predicates and functions that some action has an effect on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pddl_pipeline.model.number import number_text
from pddl_pipeline.validation.language import (
    Add,
    Delete,
    Effect,
    Fluent,
    ForEach,
    Ground,
    Update,
    When,
)
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.type_tree import OBJECT

COST: Final = "total-cost"
"""What plans cost is no part of the world: it is neither told nor asked for."""

_WORDS: Final = re.compile(r"[^\s()]+")


def atom_text(atom: Ground) -> str:
    """Return a ground atom as PDDL."""
    return f"({' '.join(atom)})"


def atom_words(text: str) -> Ground:
    """Return the words of a ground atom; the inverse of `atom_text`."""
    return tuple(_WORDS.findall(text))


@dataclass(frozen=True, slots=True)
class Fluents:
    """The words in which states of a task can be told."""

    types: Mapping[str, tuple[str, ...]]
    """The objects of each type, in natural order."""
    predicates: Mapping[str, tuple[tuple[str, ...], ...]]
    """The types that each argument may have, for every predicate that may change."""
    functions: Mapping[str, int]
    """How many arguments each function has whose value may change, the cost left out."""

    def told(self, state: State) -> frozenset[str]:
        """Return what holds in a state of all that may change, as PDDL."""
        atoms = {atom_text(fact) for fact in state.facts if fact[0] in self.predicates}
        values = {
            f"(= {atom_text(fluent)} {number_text(value)})"
            for fluent, value in state.values.items()
            if fluent[0] in self.functions
        }
        return frozenset(atoms | values)

    def constant(self, state: State) -> list[str]:
        """Return what holds in every state, as PDDL, sorted."""
        atoms = {atom_text(fact) for fact in state.facts if fact[0] not in self.predicates}
        values = {
            f"(= {atom_text(fluent)} {number_text(value)})"
            for fluent, value in state.values.items()
            if fluent[0] not in self.functions and fluent[0] != COST
        }
        return sorted(atoms | values)

    def fits(self, atom: Ground) -> bool:
        """Whether an atom's objects have the types of its predicate's arguments."""
        signature = self.predicates.get(atom[0], ())
        if len(signature) != len(atom) - 1:
            return False
        return all(
            any(name in self.types.get(kind, ()) for kind in kinds)
            for name, kinds in zip(atom[1:], signature, strict=True)
        )

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "types": {name: list(objects) for name, objects in self.types.items()},
            "predicates": {
                name: [list(kinds) for kinds in signature]
                for name, signature in self.predicates.items()
            },
            "functions": dict(self.functions),
        }


def fluents_from(given: Mapping[str, Any]) -> Fluents:
    """Return the inverse of `Fluents.to_json`."""
    return Fluents(
        {name: tuple(objects) for name, objects in given["types"].items()},
        {
            name: tuple(tuple(kinds) for kinds in signature)
            for name, signature in given["predicates"].items()
        },
        dict(given["functions"]),
    )


def fluents_of(task: Task) -> Fluents:
    """Return what may change in a task; what axioms derive may, too."""
    vocabulary = task.vocabulary
    changed = set(vocabulary.derived)
    for action in vocabulary.actions.values():
        changed |= set(_changed(action.effects))
    types: dict[str, list[str]] = {}
    for name, ancestry in vocabulary.objects.items():
        for kind in {*ancestry, OBJECT}:
            types.setdefault(kind, []).append(name)
    return Fluents(
        {kind: tuple(sorted(names)) for kind, names in sorted(types.items())},
        {name: kinds for name, kinds in sorted(vocabulary.predicates.items()) if name in changed},
        {
            name: len(kinds)
            for name, kinds in sorted(vocabulary.functions.items())
            if f"={name}" in changed and name != COST
        },
    )


def _changed(effects: Iterable[Effect]) -> Iterator[str]:
    """Yield the predicates, and the functions with ``=`` before them, that effects change."""
    for effect in effects:
        if isinstance(effect, Add | Delete):
            yield effect.atom.predicate
        elif isinstance(effect, Update):
            yield f"={effect.fluent.function}"
        elif isinstance(effect, When | ForEach):
            yield from _changed(effect.effects)


def cost_is_read(task: Task) -> bool:
    """Whether some action asks what was spent so far."""
    return any(
        _reads(action.precondition) or any(map(_effect_reads, action.effects))
        for action in task.vocabulary.actions.values()
    )


def _effect_reads(effect: Effect) -> bool:
    if isinstance(effect, Update):
        return _reads(effect.value)
    if isinstance(effect, When):
        return _reads(effect.condition) or any(map(_effect_reads, effect.effects))
    return isinstance(effect, ForEach) and any(map(_effect_reads, effect.effects))


def _reads(node: object) -> bool:
    if isinstance(node, Fluent):
        return node.function == COST
    return isinstance(node, tuple) and any(map(_reads, node))
