"""The effects of the actions of a domain, and the predicates whose atoms they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pddl_pipeline.validation.language import Add, Delete, Effect, ForEach, When
from pddl_pipeline.validation.vocabulary import Vocabulary


def effects_of(vocabulary: Vocabulary) -> list[Effect]:
    """Return the effects of all actions, including those in conditional and universal effects."""
    return [effect for action in vocabulary.actions.values() for effect in _flat(action.effects)]


def changing_predicates(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the names of the predicates that actions change or axioms derive."""
    effects = effects_of(vocabulary)
    changed = {each.atom.predicate for each in effects if isinstance(each, (Add, Delete))}
    return frozenset(changed | vocabulary.derived)


def _flat(effects: Iterable[Effect]) -> Iterator[Effect]:
    for effect in effects:
        yield effect
        if isinstance(effect, (When, ForEach)):
            yield from _flat(effect.effects)
