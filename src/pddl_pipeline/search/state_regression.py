"""Backward search from one complete goal state: the states before a state."""

from __future__ import annotations

from pddl_pipeline.search.mutexes import Mutexes
from pddl_pipeline.search.regression import Partial
from pddl_pipeline.search.world import BitOperator, StripsWorld, bits_of


class StateRegression:
    """The complete states from which one goal state can be reached.

    A complete state is a `Partial` in which every atom is either needed or unwanted. An action has
    one state before it: the atoms that it adds did not hold, unless it needs them, and the atoms
    that it deletes held. In blocksworlds, there is no other state before it.
    """

    def __init__(self, world: StripsWorld, *, mutexes: bool = True) -> None:
        self._world = world
        self._mutexes = Mutexes(world)
        self._is_checked = mutexes
        self.start = self._complete(self._goal_state())
        """The goal state, where the search begins; see `_goal_state`."""

    def _complete(self, state: int) -> Partial:
        return Partial(state, self._world.every & ~state)

    def _goal_state(self) -> int:
        """Return the goal with every further atom that can hold together with the others.

        The atoms that exclude the fewest others are added first, the first one of ties. In
        blocksworlds, this puts every block on the table that the goal does not put on a block.
        Pairs of atoms are tested, so that the state need not be reachable in other domains.
        """
        world, mutexes = self._world, self._mutexes
        free = bits_of(world.every & ~world.goal & ~world.unwanted)
        free.sort(key=lambda bit: mutexes.excluded(bit).bit_count())
        state = world.goal
        for bit in free:
            if not mutexes.excluded(bit) & (state | bit):
                state |= bit
        return state

    def excluded(self, partial: Partial) -> int:
        """Return the atoms that do not hold in a complete state."""
        return partial.unwanted

    def predecessors(self, partial: Partial) -> list[tuple[BitOperator, Partial]]:
        """Return the actions that can lead to a complete state, sorted, with the states before."""
        after, every = partial.needed, self._world.every
        found = []
        for each in self._world.operators:
            deleted = every & ~each.kept & ~each.added
            if after & each.added != each.added or after & deleted:
                continue
            before = after & ~each.added | deleted | each.needed
            if before & each.looked_at != each.needed or before & each.kept | each.added != after:
                continue
            if not self._is_checked or not before & self._mutexes.excluded(before):
                found.append((each, self._complete(before)))
        return found
