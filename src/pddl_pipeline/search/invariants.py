"""What holds in all reachable states of a plain STRIPS task, proved without listing them.

Groups of atoms of which exactly one holds are found as in Helmert 2009, section 5, and pairs of
atoms that never hold together by h^2. Regression that ends proves that no reachable state satisfies
a partial state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Final

from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.regression import Mutexes, Regression
from pddl_pipeline.search.world import Partial, StripsWorld, bits_of

_MOST_CANDIDATES: Final = 200
_MOST_REGRESSED: Final = 300
_MOST_CASES: Final = 300
_MOST_KEYS: Final = 3
_Part = tuple[str, tuple[int, ...]]
"""A predicate, and the positions of the arguments that the atoms of a group share."""


class Invariants:
    """What holds in all reachable states of a task."""

    def __init__(self, world: StripsWorld, effort: Effort) -> None:
        self.world, self._effort = world, effort
        self.mutexes = Mutexes(world, effort)
        self._regression = Regression(world, self.mutexes)
        self._groups = set(self._exact_groups())

    def _exact_groups(self) -> Iterator[int]:
        """Yield groups of atoms of which exactly one holds in every reachable state."""
        atoms = {bit: self.world.changeable(bit)[0] for bit in bits_of(self.world.every)}
        arities = {atom[0]: len(atom) for atom in atoms.values()}
        queue = [
            frozenset([(name, places)])
            for name, arity in arities.items()
            for size in range(min(arity, _MOST_KEYS + 1))
            for places in combinations(range(1, arity), size)
        ]
        known: set[frozenset[_Part]] = set(queue)
        for parts in queue:  # which grows
            places, groups = dict(parts), defaultdict[tuple[str, ...], int](int)
            for bit, atom in atoms.items():
                if atom[0] in places:
                    groups[tuple(atom[each] for each in places[atom[0]])] |= bit
            for key, group in groups.items():
                self._effort.spend(0)
                # None: every action that takes an atom of the group gives one, and the other way
                # round.
                missing = self._unbalanced(group)
                if missing is None and (self.world.start & group).bit_count() == 1:
                    yield group
                for bit in bits_of(missing or 0):
                    name, *others = atoms[bit]
                    for permutation in permutations(range(1, len(others) + 1), len(key)):
                        more = parts | {(name, permutation)}
                        # The new atoms must share the same objects, or the group would mix
                        # different things.
                        fits = tuple(atoms[bit][place] for place in permutation) == key
                        if fits and name not in places and more not in known:
                            known.add(more)
                            queue += [more] if len(queue) < _MOST_CANDIDATES else []

    def _unbalanced(self, group: int) -> int | None:
        """Return atoms one of which a group lacks; None if exactly one of it stays true."""
        changing = (x for bit in bits_of(group) for x in self._regression.changing[bit])
        for each in {x.number: x for x in changing}.values():
            before, added = each.needed & group, each.added & group
            after = (before & each.kept | added).bit_count()
            if before.bit_count() > 1 or (before and after == 1):
                continue
            # It takes the atom of the group away: one of those that it adds must join the group.
            if before and not after:
                return each.added & ~group
            # It adds an atom: one that it takes away must join. No atom repairs anything else.
            return each.needed & ~each.kept & ~group if not before and added else 0
        return None

    def consequences(self, partial: Partial) -> Partial | None:
        """Return a partial state with what the groups imply; None if it is contradictory."""
        needed, unwanted = partial
        while True:
            before = needed, unwanted
            for group in self._groups:
                held = needed & group
                if held:
                    # All but one: if two are needed, the other is unwanted too, and the partial
                    # state contradictory.
                    unwanted |= group & ~(held & -held)
                # At most one atom of the group is left; exactly one holds.
                elif not (group & ~unwanted) & (group & ~unwanted) - 1:
                    needed |= group & ~unwanted
                    if not group & ~unwanted:
                        return None
            unwanted |= self._regression.excluded(Partial(needed))
            if needed & unwanted:
                return None
            if (needed, unwanted) == before:
                return Partial(needed, unwanted)

    def exclude(self, partial: Partial) -> bool:
        """Return whether regression proves that no reachable state satisfies a partial state."""
        first = self.consequences(partial)
        queue = [] if first is None else [first]
        seen = set(queue)
        for each in queue:  # which grows
            self._effort.spend(0)
            # A plan leads there, or perhaps does.
            if each.holds(self.world.start) or len(queue) > _MOST_REGRESSED:
                return False
            for _, before in self._regression.predecessors(each):
                closed = self.consequences(before)
                if closed is not None and closed not in seen:
                    seen.add(closed)
                    queue.append(closed)
        return True

    def always_reaches(self, partial: Partial, wanted: Partial) -> bool:
        """Return whether each reachable state of a partial state is proved to reach a wanted one.

        Regression finds conditions from which the wanted one is reached, and each state must
        satisfy one of them: the groups of atoms tell the cases apart.
        """
        start = self.consequences(partial)
        conditions = self._conditions(start, wanted) if start else []
        cases = [start]
        for case in cases:  # which grows
            self._effort.spend(0)
            if case is None:  # no reachable state
                continue
            left = [condition for condition in conditions if not case.excludes(condition)]
            nearest = min(left, key=case.missing, default=None)
            if nearest is None or len(cases) > _MOST_CASES:
                return False
            if case.missing(nearest):
                bit = nearest.needed & ~case.needed or nearest.unwanted & ~case.unwanted
                cases += self._cases(case, bit & -bit)
        return True

    def _conditions(self, start: Partial, wanted: Partial) -> list[Partial]:
        """Return partial states that reach a wanted one by actions that keep what holds first."""
        found = [wanted]
        for each in found:  # which grows
            self._effort.spend(0)
            before = (before for _, before in self._regression.predecessors(each, start))
            found += (each for each in dict.fromkeys(before) if each not in found)
            if len(found) > _MOST_REGRESSED:
                break
        return found

    def _cases(self, partial: Partial, bit: int) -> list[Partial | None]:
        """Return a partial state with each possible atom of a group, or with and without one."""
        group = min((each for each in self._groups if each & bit), key=int.bit_count, default=0)
        needed = [partial._replace(needed=partial.needed | each) for each in bits_of(group or bit)]
        without = partial._replace(unwanted=partial.unwanted | bit)
        return [*map(self.consequences, needed if group else [*needed, without])]
