"""Backward search in plain STRIPS: what must hold before an action, for what must hold after it.

Goals are partial states, so the search is by regression (Bonet and Geffner 2001, section 4): an
action is looked at where it adds something that is needed and deletes nothing of it.
"""

from __future__ import annotations

from typing import NamedTuple

from pddl_pipeline.search.mutexes import Mutexes
from pddl_pipeline.search.strips_world import BitOperator, StripsWorld, bits_of


class Partial(NamedTuple):
    """What is to hold in a state, as bits."""

    needed: int
    unwanted: int = 0
    """What is not to hold."""

    def holds(self, state: int) -> bool:
        """Whether a state is one of those that are meant."""
        return state & self.needed == self.needed and not state & self.unwanted


class Regression:
    """The partial states from which the goal can be reached."""

    def __init__(self, world: StripsWorld) -> None:
        self.start = Partial(world.goal, world.unwanted)
        """The goal, where the search begins."""
        self._every = world.every
        self._mutexes = Mutexes(world)
        self._adding: dict[int, list[BitOperator]] = {}
        self._deleting: dict[int, list[BitOperator]] = {}
        for each in world.operators:
            for bit in bits_of(each.added):
                self._adding.setdefault(bit, []).append(each)
            for bit in bits_of(self._every & ~each.kept):
                self._deleting.setdefault(bit, []).append(each)

    def excluded(self, partial: Partial) -> int:
        """Return the atoms that cannot hold in any state that is meant."""
        return self._mutexes.excluded(partial.needed) | partial.unwanted

    def is_possible(self, partial: Partial) -> bool:
        """Whether no two of the needed atoms exclude each other, and none is unwanted."""
        return not partial.needed & self.excluded(partial)

    def predecessors(self, partial: Partial) -> list[tuple[BitOperator, Partial]]:
        """Return the actions that can lead here, sorted, with what must hold before each."""
        relevant = {
            each.number: each
            for by_bit, bits in (
                (self._adding, partial.needed),
                (self._deleting, partial.unwanted),
            )
            for bit in bits_of(bits)
            for each in by_bit.get(bit, ())
        }
        found = []
        for number in sorted(relevant):
            each = relevant[number]
            if partial.needed & ~each.kept & ~each.added or each.added & partial.unwanted:
                continue
            before = Partial(
                partial.needed & ~each.added | each.needed,
                partial.unwanted & each.kept | each.looked_at & ~each.needed,
            )
            if self.is_possible(before):
                found.append((each, before))
        return found
