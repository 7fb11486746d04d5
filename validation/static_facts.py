"""The facts of a task that no action changes, indexed once for all states."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.matching import FactIndex
from pddl_pipeline.validation.vocabulary import Vocabulary, changing_predicates


class StaticFacts:
    """The initial facts of the predicates that no action changes and no axiom derives."""

    def __init__(self, vocabulary: Vocabulary, initial: Iterable[Ground]) -> None:
        self._vocabulary = vocabulary
        self._initial = initial

    @cached_property
    def _facts(self) -> set[Ground]:
        changing = changing_predicates(self._vocabulary)
        return {fact for fact in self._initial if fact[0] not in changing}

    @cached_property
    def _index(self) -> FactIndex:
        return FactIndex(self._facts)

    def index(self, facts: set[Ground]) -> FactIndex:
        """Return an index of the facts of a state.

        Any set of facts has an index, also one that no action leads to. Only its other facts are
        indexed anew if it has the static facts of the task and no other facts of their predicates.
        """
        static = self._facts
        if static and static <= facts:
            index = FactIndex(facts - static)
            if index.include(self._index):
                return index
        return FactIndex(facts)
