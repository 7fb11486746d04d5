"""Pairs of atoms that never hold together, by h^2 (Haslum and Geffner 2000)."""

from __future__ import annotations

from pddl_pipeline.search.world import BitOperator, StripsWorld, bits_of


class Mutexes:
    """The atoms of a task that can hold together in a state reachable from the initial state."""

    def __init__(self, world: StripsWorld) -> None:
        self._every = world.every
        self._beside = dict.fromkeys(bits_of(world.every), 0)
        for bit in bits_of(world.start):
            self._beside[bit] = world.start
        while any([self._widen(each) for each in world.operators]):  # noqa: C419 -- all of them
            pass

    def _widen(self, operator: BitOperator) -> bool:
        """Add the pairs that an operator makes possible; return whether any is new."""
        needed = bits_of(operator.needed)
        kept = self._every
        for bit in needed:
            if self._beside[bit] & operator.needed != operator.needed:
                return False
            kept &= self._beside[bit]
        if not needed:
            kept = self._possible()
        after = operator.added | kept & operator.kept
        new = False
        for bit in bits_of(operator.added):
            fresh = after & ~self._beside[bit]
            if fresh:
                new = True
                self._beside[bit] |= after
                for other in bits_of(fresh):
                    self._beside[other] |= bit
        return new

    def _possible(self) -> int:
        """Return the atoms that can hold in a reachable state."""
        return sum(bit for bit, beside in self._beside.items() if beside & bit)

    def excluded(self, atoms: int) -> int:
        """Return the atoms that can never hold together with these."""
        found = 0
        for bit in bits_of(atoms):
            found |= self._every & ~self._beside[bit]
        return found
