"""Regression in plain STRIPS: the condition before an action, for a condition after it.

Goals are partial states, so backward search uses regression (Bonet and Geffner 2001, section 4): an
action is considered if it adds a needed atom and deletes none.
"""

from __future__ import annotations

from typing import NamedTuple

from pddl_pipeline.search.mutexes import Mutexes
from pddl_pipeline.search.world import BitOperator, StripsWorld, bits_of


class Partial(NamedTuple):
    """A partial state: the atoms that must or must not hold, as bits."""

    needed: int
    """The atoms that must hold."""
    unwanted: int = 0
    """The atoms that must not hold."""

    def holds(self, state: int) -> bool:
        """Return whether a state satisfies this partial state."""
        return state & self.needed == self.needed and not state & self.unwanted


class Regression:
    """The partial states from which the goal can be reached.

    Args:
        world: the task.
        mutexes: whether to leave out partial states with atoms that exclude each other; otherwise,
            no two atoms are known to exclude each other.
    """

    def __init__(self, world: StripsWorld, *, mutexes: bool = True) -> None:
        self.start = Partial(world.goal, world.unwanted)
        """The goal, where the search begins."""
        self._every = world.every
        self._mutexes = Mutexes(world) if mutexes else None
        self._adding: dict[int, list[BitOperator]] = {}
        self._deleting: dict[int, list[BitOperator]] = {}
        for each in world.operators:
            for bit in bits_of(each.added):
                self._adding.setdefault(bit, []).append(each)
            for bit in bits_of(self._every & ~each.kept):
                self._deleting.setdefault(bit, []).append(each)

    def excluded(self, partial: Partial) -> int:
        """Return the atoms that cannot hold in any state that satisfies a partial state."""
        known = 0 if self._mutexes is None else self._mutexes.excluded(partial.needed)
        return known | partial.unwanted

    def is_possible(self, partial: Partial) -> bool:
        """Return whether no two needed atoms exclude each other and no needed atom is unwanted."""
        return not partial.needed & self.excluded(partial)

    def predecessors(self, partial: Partial) -> list[tuple[BitOperator, Partial]]:
        """Return the actions that can lead to a partial state, sorted, with their regressions."""
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
