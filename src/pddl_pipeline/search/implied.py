"""The literals that hold in every reachable state that satisfies a partial state.

A literal is implied if no reachable state satisfies the partial state without it. This is proved by
invariants (groups of atoms of which exactly one holds, as in Helmert 2009, section 5), by
regression that ends, or by a forward search that visits all states. A forward search that finds
such a state refutes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import combinations, count, permutations
from typing import Any, Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.isomorphism import Deadline
from pddl_pipeline.search.regression import Partial, Regression
from pddl_pipeline.search.space import Bounds, Searched, Space, breadth_first
from pddl_pipeline.search.world import BitOperator, StripsWorld, World, bits_of
from pddl_pipeline.validation.language import Ground

_MOST_CANDIDATES: Final = 200
_MOST_REGRESSED: Final = 300
_MOST_PAIRED: Final = 1_500
"""The number of operators from which pairs of atoms that exclude each other take too long."""
_MOST_KEYS: Final = 3
_MOST_STATES: Final = 200_000
_FIRST_EXPANDED: Final = 200
"""The number of states after which regression is tried."""
Literal = tuple[Ground, bool]
"""An atom, and whether it must hold."""
_Part = tuple[str, tuple[int, ...]]
"""A predicate, and the positions of the arguments that the atoms of a group share."""


def explored(world: World[Any], is_end: Callable[[Any], bool], seconds: float) -> Searched:
    """Return the result of a breadth-first search of a task's states, each tested once."""
    space = Space(
        world.start,
        lambda state: [after for _, after in world.successors(state)],
        is_end,
        lambda state: state,
    )
    return breadth_first(space, Bounds(_MOST_STATES, seconds), SearchEffort())


class Implications:
    """What holds in the reachable states of a task."""

    def __init__(self, world: StripsWorld, deadline: Deadline) -> None:
        self._world, self._deadline = world, deadline
        self._bits = {world.changeable(bit)[0]: bit for bit in bits_of(world.every)}
        self._fixed = world.fixed
        self._regression = Regression(world, mutexes=len(world.operators) < _MOST_PAIRED)
        self._touching = defaultdict[int, list[BitOperator]](list)
        for each in world.operators:
            for bit in bits_of(each.added | world.every & ~each.kept):
                self._touching[bit].append(each)
        self._groups = set(self._exact_groups())
        self._found = [world.start]
        """Reachable states, from which searches begin."""

    def _exact_groups(self) -> Iterator[int]:
        """Yield groups of atoms of which exactly one holds in every reachable state."""
        atoms = {bit: atom for atom, bit in self._bits.items()}
        arities = {atom[0]: len(atom) for atom in atoms.values()}
        queue = [
            frozenset([(name, places)])
            for name, arity in arities.items()
            for size in range(min(arity, _MOST_KEYS + 1))
            for places in combinations(range(1, arity), size)
        ]
        known = set(queue)
        for parts in queue:  # which grows
            places, groups = dict(parts), defaultdict[tuple[str, ...], int](int)
            for bit, atom in atoms.items():
                if atom[0] in places:
                    groups[tuple(atom[each] for each in places[atom[0]])] |= bit
            for key, group in groups.items():
                self._deadline.check()
                missing = self._unbalanced(group)
                if missing is None and (self._world.start & group).bit_count() == 1:
                    yield group
                for bit in bits_of(missing or 0):
                    name, *others = atoms[bit]
                    for each in permutations(range(1, len(others) + 1), len(key)):
                        more = parts | {(name, each)}
                        fits = tuple(atoms[bit][place] for place in each) == key
                        if fits and name not in places and more not in known:
                            known.add(more)
                            queue += [more] if len(queue) < _MOST_CANDIDATES else []

    def _unbalanced(self, group: int) -> int | None:
        """Return atoms one of which a group lacks; None if exactly one of it stays true."""
        for each in dict.fromkeys(x for bit in bits_of(group) for x in self._touching[bit]):
            before, added = each.needed & group, each.added & group
            after = (before & each.kept | added).bit_count()
            if before.bit_count() > 1 or (before and after == 1):
                continue
            if before and not after:
                return each.added & ~group
            return each.needed & ~each.kept & ~group if not before and added else 0
        return None

    @property
    def every(self) -> set[Literal]:
        """All literals that hold in some states."""
        return {(atom, holds) for atom in self._bits for holds in (True, False)}

    def consequences(self, partial: Partial) -> Partial | None:
        """Return a partial state with what the groups imply; None if it is contradictory."""
        needed, unwanted = partial
        while True:
            before = needed, unwanted
            for group in self._groups:
                held = needed & group
                if held:
                    unwanted |= group & ~(held & -held)
                elif not (group & ~unwanted) & (group & ~unwanted) - 1:
                    needed |= group & ~unwanted
                    if not group & ~unwanted:
                        return None
            unwanted |= self._regression.excluded(Partial(needed))
            if needed & unwanted:
                return None
            if (needed, unwanted) == before:
                return Partial(needed, unwanted)

    def excluded(self, partial: Partial) -> bool:
        """Return whether regression proves that no reachable state satisfies a partial state."""
        first = self.consequences(partial)
        queue = [] if first is None else [first]
        seen = set(queue)
        for each in queue:  # which grows
            self._deadline.check()
            if each.holds(self._world.start) or len(queue) > _MOST_REGRESSED:
                return False
            for _, before in self._regression.predecessors(each):
                closed = self.consequences(before)
                if closed is not None and closed not in seen:
                    seen.add(closed)
                    queue.append(closed)
        return True

    def find(self, partial: Partial) -> int | None:
        """Return a reachable state that satisfies a partial state; None if there is none.

        States with an atom that no state with as many missing goals had are expanded first, as in
        best-first width search (Lipovetzky and Geffner 2017).

        Raises:
            NotJudged: the search did not end before the deadline.
        """
        if self.consequences(partial) is None:
            return None
        number, goals = count(), self._goals(partial)
        known = defaultdict[tuple[int, int], int](int)

        def entry(state: int, root: int) -> tuple[bool, int, int, int, int]:
            missing = sum([1 for each in goals if each & ~state])
            missing += (partial.unwanted & state).bit_count()
            is_known = not state & ~known[root, missing]
            known[root, missing] |= state
            return is_known, missing, next(number), state, root

        seen, expanded = {self._found[0], self._found[-1]}, 0
        queue = sorted(entry(each, each) for each in seen)
        while queue:
            self._deadline.check()
            *_, state, root = heappop(queue)
            if partial.holds(state):
                self._found.append(state)
                return state
            expanded += 1
            if expanded == _FIRST_EXPANDED and self.excluded(partial):
                return None
            for each in self._world.applicable(state):
                after = state & each.kept | each.added
                if after not in seen:
                    seen.add(after)
                    heappush(queue, entry(after, root))
        return None

    def _goals(self, partial: Partial) -> list[int]:
        """Return each needed atom with the needed atoms that no action adds while it holds."""
        found = []
        for goal in bits_of(partial.needed):
            closed = self.consequences(Partial(goal)) or Partial(goal)
            before = [
                bit
                for bit in bits_of(partial.needed & ~goal)
                if all(
                    each.needed & closed.unwanted or goal & ~each.kept
                    for each in self._touching[bit]
                    if each.added & bit
                )
            ]
            found.append(goal | sum(before))
        return found

    def partial(self, literals: Iterable[Literal]) -> Partial | None:
        """Return literals as a partial state; None if one is permanently false."""
        masks = [0, 0]
        for atom, holds in literals:
            bit = self._bits.get(atom, 0)
            if not bit and (atom in self._fixed) != holds:
                return None
            masks[not holds] |= bit
        return Partial(*masks)

    def literals(self, partial: Partial | None) -> set[Literal]:
        """Return a partial state as literals; none for None."""
        needed, unwanted = partial or (0, 0)
        bits = self._bits.items()
        return {
            *((atom, True) for atom, bit in bits if bit & needed),
            *((atom, False) for atom, bit in bits if bit & unwanted),
        }

    def implied(self, goal: Partial, literals: Partial | None) -> Partial | None:
        """Return those literals that hold in all reachable states with the goal; None without any.

        Raises:
            NotJudged: a literal was not decided before the deadline.
        """
        state = self.find(goal)
        if state is None or literals is None:
            return None
        held, avoided = literals.needed & state, literals.unwanted & ~state
        left = [*((bit, 0) for bit in bits_of(held)), *((0, bit) for bit in bits_of(avoided))]
        for bit, other in left:
            if (bit & held) | (other & avoided):
                state = self.find(Partial(goal.needed | other, goal.unwanted | bit))
                if state is not None:
                    held, avoided = held & state, avoided & ~state
        return Partial(held, avoided)


class ListedStates(Implications):
    """What holds in the reachable states of any task, from a list of them."""

    def __init__(self, world: World[Any], deadline: Deadline) -> None:
        listed: list[frozenset[Ground]] = []

        def collect(state: Any) -> bool:
            listed.append(world.atoms(state))
            return False

        found = explored(world, collect, deadline.seconds)
        if not found.exhausted:
            raise NotJudged(f"not decided within {deadline.seconds:g} s")
        self._fixed = frozenset.intersection(*listed)
        atoms = sorted(frozenset().union(*listed) - self._fixed)
        self._bits = {atom: 1 << number for number, atom in enumerate(atoms)}
        self._states = [sum(self._bits[atom] for atom in each - self._fixed) for each in listed]

    def consequences(self, partial: Partial) -> Partial | None:
        """Return the partial state itself; see `Implications.consequences`."""
        return partial

    def find(self, partial: Partial) -> int | None:
        """Return a reachable state that satisfies a partial state; see `Implications.find`."""
        return next((each for each in self._states if partial.holds(each)), None)
