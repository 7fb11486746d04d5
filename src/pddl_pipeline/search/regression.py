"""Regression in plain STRIPS: the condition before an action, for a condition after it.

Goals are partial states, so backward search uses regression (Bonet and Geffner 2001, section 4): an
action is considered if it adds a needed atom and deletes none. Pairs of atoms that never
hold together are found by h^2 (Haslum and Geffner 2000).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from copy import copy
from typing import Final

from pddl_pipeline.search.effort import UNLIMITED, Effort
from pddl_pipeline.search.world import BitOperator, Partial, StripsWorld, bits_of


class Mutexes:
    """The atoms of a task that can hold together in a reachable state.

    Args:
        world: the task.
        effort: what the computation may take; a thousand actions count as a state.
    """

    def __init__(self, world: StripsWorld, effort: Effort = UNLIMITED) -> None:
        self._every, self._effort = world.every, effort
        self.beside = dict.fromkeys(bits_of(world.every), 0)
        for bit in bits_of(world.start):
            self.beside[bit] = world.start
        self._bits = {
            operator.number: (bits_of(operator.needed), bits_of(operator.added))
            for operator in world.operators
        }
        self.after_last = dict[int, int]()
        """By operator, what could hold after it when it was last looked at."""
        # The sum widens by all operators; `any` would stop at the first that adds a pair.
        while sum(map(self.widen, world.operators)):
            pass

    def widen(self, operator: BitOperator) -> bool:
        """Add the pairs that an operator makes possible; return whether any is new."""
        self._effort.spend(0.001)
        needed, added = self._bits[operator.number]
        kept = self._every
        for bit in needed:
            # A pair of the needed atoms is not reached yet.
            if self.beside[bit] & operator.needed != operator.needed:
                return False
            kept &= self.beside[bit]
        if not needed:
            # The atoms that can hold in a reachable state.
            kept = sum(bit for bit, beside in self.beside.items() if beside & bit)
        # What holds together with all needed atoms, and is not deleted, holds beside the added
        # ones.
        after = operator.added | kept & operator.kept
        if after == self.after_last.get(operator.number):
            return False
        self.after_last[operator.number] = after
        new = False
        for bit in added:
            # The relation is symmetric: each new pair is stored at both of its atoms.
            fresh = after & ~self.beside[bit]
            if fresh:
                new = True
                self.beside[bit] |= after
                for other in bits_of(fresh):
                    self.beside[other] |= bit
        return new

    def excluded(self, atoms: int) -> int:
        """Return the atoms that can never hold together with these."""
        found = 0
        for bit in bits_of(atoms):
            found |= self._every & ~self.beside[bit]
        return found

    def cannot_follow(self, late: int, early: int, operators: Iterable[BitOperator]) -> bool:
        """Return whether an atom cannot become true while another stays true.

        Args:
            late: the atom that does not hold at first.
            early: the atom that holds all the time.
            operators: the actions.
        """
        found, allowed = copy(self), self.beside[early] & ~late
        found.after_last = {}
        found.beside = {
            bit: beside & allowed if bit & allowed else 0 for bit, beside in self.beside.items()
        }
        kept = [
            operator
            for operator in operators
            if operator.kept & early and not self.excludes(operator.needed | early)
        ]
        while sum(map(found.widen, kept)):
            pass
        return not found.beside[late]

    def excludes(self, atoms: int) -> bool:
        """Return whether atoms can never hold together."""
        return bool(self.excluded(atoms) & atoms)


NOTHING: Final = Partial(0)


class Regression:
    """The partial states from which the goal can be reached.

    If they are complete, every atom is either needed or unwanted. Then an action has one state
    before it: the atoms that it adds did not hold, unless it needs them, and the atoms that it
    deletes held. In blocksworlds, there is no other state before it.

    Args:
        world: the task.
        mutexes: the atoms that exclude each other; partial states with such atoms are left out.
        complete: whether to complete the goal and all partial states.
    """

    def __init__(
        self, world: StripsWorld, mutexes: Mutexes | None, *, complete: bool = False
    ) -> None:
        self._every, self._mutexes = world.every, mutexes
        self._is_complete = complete
        self._known: dict[int, int] = {}
        self.changing = defaultdict[int, list[BitOperator]](list)
        """The actions that add or delete each atom."""
        for operator in world.operators:
            for bit in bits_of(operator.added | self._every & ~operator.kept):
                self.changing[bit].append(operator)
        goal = Partial(world.goal, world.unwanted)
        self.start = self._completed(goal, self._mutexes or Mutexes(world)) if complete else goal
        """The goal, where the search begins."""

    def _completed(self, goal: Partial, mutexes: Mutexes) -> Partial:
        """Return the goal with every further atom that can hold together with the others.

        The atoms that exclude the fewest others are added first, the first one of ties. In
        blocksworlds, this puts every block on the table that the goal does not put on a block.
        Pairs of atoms are tested, so that the state need not be reachable in other domains.
        """
        state = goal.needed
        free = bits_of(self._every & ~goal.needed & ~goal.unwanted)
        free.sort(key=lambda bit: mutexes.excluded(bit).bit_count())
        for bit in free:
            if not mutexes.excluded(bit) & (state | bit):
                state |= bit
        return Partial(state, self._every & ~state)

    def excluded(self, partial: Partial) -> int:
        """Return the atoms that cannot hold in any state that satisfies a partial state."""
        known = 0 if self._mutexes is None else self._mutexes.excluded(partial.needed)
        return known | partial.unwanted

    def _rivals(self, operator: BitOperator) -> int:
        """Return the atoms that cannot hold before an action."""
        found = self._known.get(operator.number)
        if found is None:
            deleted = self._every & ~operator.kept & ~operator.added if self._is_complete else 0
            atoms = operator.needed | deleted
            found = 0 if self._mutexes is None else self._mutexes.excluded(atoms)
            self._known[operator.number] = found
        return found

    def predecessors(
        self, partial: Partial, held: Partial = NOTHING
    ) -> list[tuple[BitOperator, Partial]]:
        """Return the actions that can lead to a partial state, sorted, with their regressions.

        Actions that achieve what a partial state ``held`` has, or nothing else, are left out.
        """
        if self.excluded(partial) & partial.needed:
            return []
        kept = partial.needed & held.needed
        bits = bits_of(partial.needed & ~kept | partial.unwanted & ~held.unwanted)
        relevant = {each.number: each for bit in bits for each in self.changing[bit]}
        found = []
        for number in sorted(relevant):
            each = relevant[number]
            added = each.added
            # The action undoes what must hold after it, or achieves what is to stay from before.
            if partial.needed & ~each.kept & ~added or added & (partial.unwanted | kept):
                continue
            needed = partial.needed & ~each.added | each.needed
            unwanted = partial.unwanted & each.kept | each.looked_at & ~each.needed
            if self._is_complete:
                needed |= self._every & ~each.kept & ~each.added
                unwanted |= self._every & ~needed
            # The needed atoms of the partial state can hold together.
            if not needed & (unwanted | self._rivals(each)):
                found.append((each, Partial(needed, unwanted)))
        return found
