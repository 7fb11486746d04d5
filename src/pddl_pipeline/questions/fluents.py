"""The fluents of a task: its predicates and functions that the effects of actions change."""

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
"""The cost of plans is not part of a state: no question describes it or asks for it."""

_WORDS: Final = re.compile(r"[^\s()]+")


def atom_text(atom: Ground) -> str:
    """Return a ground atom as PDDL."""
    return f"({' '.join(atom)})"


def atom_words(text: str) -> Ground:
    """Return the words of a ground atom; the inverse of `atom_text`."""
    return tuple(_WORDS.findall(text))


@dataclass(frozen=True, slots=True)
class Fluents:
    """The vocabulary in which states of a task are described."""

    types: Mapping[str, tuple[str, ...]]
    """The objects of each type, sorted."""
    predicates: Mapping[str, tuple[tuple[str, ...], ...]]
    """For every predicate that may change, the types that each argument may have."""
    functions: Mapping[str, int]
    """The number of arguments of every function whose value may change, without the cost."""

    def told(self, state: State) -> frozenset[str]:
        """Return the atoms and values of a state that may change, as PDDL."""
        atoms = {atom_text(fact) for fact in state.facts if fact[0] in self.predicates}
        values = {
            f"(= {atom_text(fluent)} {number_text(value)})"
            for fluent, value in state.values.items()
            if fluent[0] in self.functions
        }
        return frozenset(atoms | values)

    def constant(self, state: State) -> list[str]:
        """Return the atoms and values that no action changes, as PDDL, sorted."""
        atoms = {atom_text(fact) for fact in state.facts if fact[0] not in self.predicates}
        values = {
            f"(= {atom_text(fluent)} {number_text(value)})"
            for fluent, value in state.values.items()
            if fluent[0] not in self.functions and fluent[0] != COST
        }
        return sorted(atoms | values)

    def fits(self, atom: Ground) -> bool:
        """Return whether an atom's objects have the types of its predicate's arguments."""
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
    """Return the fluents that `Fluents.to_json` wrote."""
    return Fluents(
        {name: tuple(objects) for name, objects in given["types"].items()},
        {
            name: tuple(tuple(kinds) for kinds in signature)
            for name, signature in given["predicates"].items()
        },
        dict(given["functions"]),
    )


def fluents_of(task: Task) -> Fluents:
    """Return the fluents of a task, including the predicates that axioms derive."""
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
    """Yield the names of the predicates and functions that effects change.

    ``=`` precedes the name of a function.
    """
    for effect in effects:
        if isinstance(effect, Add | Delete):
            yield effect.atom.predicate
        elif isinstance(effect, Update):
            yield f"={effect.fluent.function}"
        elif isinstance(effect, When | ForEach):
            yield from _changed(effect.effects)


def cost_is_read(task: Task) -> bool:
    """Return whether an action reads the cost so far, in a condition or an effect."""
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
