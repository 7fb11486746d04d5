"""What the states that are reachable from a state have in common, decided without listing them all.

A path to a condition proves that it is reachable. That there is none is proved by the delete
relaxation, by h^2 (see `Mutexes`), or by exhaustive search. What none of them decides within the
limits is an error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property, reduce
from heapq import heappop, heappush
from itertools import chain
from math import inf
from operator import or_
from typing import Any, Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.regression import Mutexes, Partial
from pddl_pipeline.search.world import BitOperator, StripsWorld, World, bits_of
from pddl_pipeline.validation.language import Ground

_FIRST: Final = 200
"""Number of states that best-first search expands before h^2 is computed, and again behind it."""
_OPERATORS: Final = 1000
"""An estimate counts as a state for each so many operators."""


class Effort:
    """The limits of the searches for one question."""

    def __init__(self, most_states: int, seconds: float = inf) -> None:
        """Begin to count.

        Args:
            most_states: maximum number of expanded or estimated states.
            seconds: limit of processor time.
        """
        self._most, self._left = most_states, float(most_states)
        self._seconds, self._end = seconds, time.process_time() + seconds

    def spend(self, states: float = 1) -> None:
        """Count expanded states.

        Raises:
            NotJudged: a limit is exceeded.
        """
        self._left -= states
        if self._left < 0:
            raise NotJudged(f"not decided by search of {self._most:,} states")
        if time.process_time() > self._end:
            raise NotJudged(f"not decided within {self._seconds:g} s")


class Reachability:
    """The states that are reachable from one state of a task."""

    def __init__(self, world: World[Any], start: Any, effort: Effort) -> None:
        self.world = world
        self.start = start
        self.effort = effort

    @cached_property
    def _mutexes(self) -> Mutexes | None:
        """The atoms that never hold together; None if the task is not plain STRIPS."""
        world = self.world
        return Mutexes(world, self.start, self.effort.spend) \
            if isinstance(world, StripsWorld) else None  # fmt: skip

    def without_effort(self) -> Reachability:
        """Return the same search, which decides only what h^2 decides."""
        found = Reachability(self.world, self.start, Effort(0))
        found.__dict__["_mutexes"] = self._mutexes  # which is computed once
        return found

    def path_to(
        self, atoms: Collection[Ground], avoided: Collection[Ground] = ()
    ) -> list[Any] | None:
        """Return the states of a path to a state in which atoms hold; None if there is none.

        Args:
            atoms: the atoms.
            avoided: atoms that must not hold in any state of the path.

        Raises:
            NotJudged: neither is proved within the limits.
        """
        world = self.world
        if isinstance(world, StripsWorld):
            wanted = Partial(world.mask(atoms)) if all(map(world.known, atoms)) else None
            return self._strips(world, wanted, avoided)
        return self._breadth_first(
            lambda state: all(world.holds(atom, state) for atom in atoms), avoided
        )

    def path_to_goal(
        self, avoided: Collection[Ground] = (), unused: Collection[Ground] = ()
    ) -> list[Any] | None:
        """Return a path to the goal, as `path_to` does.

        Args:
            avoided: atoms that must not hold in any state of the path.
            unused: in plain STRIPS, atoms that no action of the path may need.
        """
        world = self.world
        if isinstance(world, StripsWorld):
            wanted = Partial(world.goal, world.unwanted) if world.can_end else None
            return self._strips(world, wanted, avoided, unused)
        return self._breadth_first(world.is_goal, avoided)

    def path_to_step(self, step: Step) -> list[Any] | None:
        """Return a path to a state in which a step is applicable, as `path_to` does."""
        world = self.world
        if isinstance(world, StripsWorld):
            found = world.operator(step)
            wanted = found and Partial(found.needed, found.looked_at & ~found.needed)
            return self._strips(world, wanted)
        return self._breadth_first(
            lambda state: any(each[0] == step for each in world.successors(state))
        )

    def _strips(
        self, world: StripsWorld, wanted: Partial | None, avoided: Collection[Ground] = (),
        unused: Collection[Ground] = (),
    ) -> list[Any] | None:  # fmt: skip
        """Return a path in plain STRIPS; `wanted` is None if no state is wanted."""
        known = None
        if avoided or unused:
            added, needed = world.mask(avoided), world.mask(unused)
            world = world.restricted(
                each for each in world.operators
                if not each.added & added and not each.needed & needed
            )  # fmt: skip
        else:
            known = self._mutexes
        if wanted is None or (known is not None and known.excludes(wanted.needed)):
            return None
        return _StripsPath(world, self.start, wanted, self.effort).find()

    def _breadth_first(
        self, is_wanted: Callable[[Any], bool], avoided: Collection[Ground] = ()
    ) -> list[Any] | None:
        world, before, queue = self.world, {self.start: None}, [self.start]
        for state in queue:  # which grows
            if is_wanted(state):
                return _path(before, state)
            self.effort.spend()
            for _, after in world.successors(state):
                if after not in before and not any(world.holds(atom, after) for atom in avoided):
                    before[after] = state
                    queue.append(after)
        return None

    def landmarks(self, trivial: Collection[Ground]) -> tuple[list[Ground], list[Ground]] | None:
        """Return the atoms that hold at some time in every plan, and those that are not decided.

        First come those that the actions of all plans need. Atoms that hold in the state are left
        out. None without a plan.

        Args:
            trivial: further atoms to leave out.

        Raises:
            NotJudged: no plan was found within the limits.
        """
        world, plan = self.world, self.path_to_goal()
        if plan is None:
            return None
        left = [
            atom for atom in self._held(plan)
            if not world.holds(atom, self.start) and atom not in trivial
        ]  # fmt: skip
        found, undecided = list[Ground](), list[Ground]()
        while left:
            atom = left.pop(0)
            try:
                plan = self.path_to_goal(avoided=[atom])
            except NotJudged:
                undecided.append(atom)
                continue
            if plan is None:
                found.append(atom)
            else:
                passed = self._held(plan)
                left = [atom for atom in left if atom in passed]
        return sorted(found, key=self._is_unused), undecided

    def must_precede(self, first: Ground, second: Ground) -> bool:
        """Return whether h^2 proves that an atom cannot be achieved while another stays true.

        Then the first one must be achieved before, if both are to hold. Both do not hold now.
        """
        world, known = self.world, self._mutexes
        if not isinstance(world, StripsWorld) or known is None:
            return False
        early, late = world.mask([second]), world.mask([first])
        if any(each.added & early and each.added & late for each in world.operators):
            return False
        return bool(early and late) and known.cannot_follow(late, early, world.operators)

    def _is_unused(self, atom: Ground) -> bool:
        """Return whether there are plans without actions that need an atom, ignoring deletes."""
        try:
            return self.without_effort().path_to_goal(unused=[atom]) is not None
        except NotJudged:
            return True

    def _held(self, path: Sequence[Any]) -> dict[Ground, None]:
        """Return the atoms that hold in some state of a path, except those that never change."""
        return dict.fromkeys(chain.from_iterable(map(self.world.changeable, path)))

    def first_steps(self) -> tuple[int, list[Step]] | None:
        """Return the fewest steps to the goal, and the steps with which such plans begin.

        None if there is no plan.

        Raises:
            NotJudged: that is not decided within the limits.
        """
        world, read = self.world, None
        if isinstance(world, StripsWorld):
            world, read = world.relevant()
        start, depth = self.start if read is None else self.start & read, 0
        firsts = [step for step, _ in world.successors(start)]
        layer, seen = {start: 0}, {start}
        while layer:
            found = reduce(or_, (layer[state] for state in layer if world.is_goal(state)), 0)
            if found or world.is_goal(start):
                return depth, [step for n, step in enumerate(firsts) if found >> n & 1]
            after: dict[Any, int] = {}
            for state, first in layer.items():
                self.effort.spend()
                for number, (_, whole) in enumerate(world.successors(state)):
                    other = whole if read is None else whole & read
                    if other not in seen:
                        after[other] = after.get(other, 0) | (first or 1 << number)
            seen.update(after)
            layer, depth = after, depth + 1
        return None


def _path(before: dict[Any, Any], state: Any) -> list[Any]:
    found = [state]
    while (state := before[state]) is not None:
        found.append(state)
    return found[::-1]


class _StripsPath:
    """The search for one path in a plain STRIPS task."""

    def __init__(self, world: StripsWorld, start: int, wanted: Partial, effort: Effort) -> None:
        self._world, self._start, self._wanted, self._effort = world, start, wanted, effort
        self._weight = 0.1 + len(world.operators) / _OPERATORS
        self._before: dict[int, int | None] = {start: None}
        self._queue: list[tuple[float, int, int]] = []

    def find(self) -> list[int] | None:
        """Return the path; see `Reachability.path_to`."""
        if self._wanted.holds(self._start):
            return [self._start]
        if self._estimate(self._start) == inf:
            return None
        heappush(self._queue, (0, 0, self._start))
        searched = self._best_first()
        for _ in range(_FIRST):
            found = next(searched)
            if found is not None:
                return found or None
        mutexes = Mutexes(self._world, self._start, self._effort.spend)
        if mutexes.excludes(self._wanted.needed):
            return None
        return next(found for found in searched if found is not None) or None

    def _best_first(self) -> Iterator[list[int] | None]:
        """Yield None for each expanded state; last, the path, or an empty list without one."""
        count = 0
        while self._queue:
            state = heappop(self._queue)[2]
            for each in self._world.applicable(state):
                after = state & each.kept | each.added
                if after in self._before:
                    continue
                self._before[after] = state
                if self._wanted.holds(after):
                    yield _path(self._before, after)
                    return
                self._effort.spend(self._weight)
                estimate = self._estimate(after)
                if estimate < inf:
                    count += 1
                    heappush(self._queue, (estimate, count, after))
            yield None
        yield []

    def _estimate(self, state: int) -> float:
        """Return the number of actions of a relaxed plan, as FF does; infinite without one.

        Negated atoms are ignored.
        """
        reached, left, best = state, self._world.operators, dict[int, BitOperator]()
        wanted = self._wanted.needed
        while wanted & ~reached:
            here, later = reached, list[BitOperator]()
            for each in left:
                if each.needed & ~here:
                    later.append(each)
                elif each.added & ~reached:
                    for bit in bits_of(each.added & ~reached):
                        best[bit] = each
                    reached |= each.added
            if reached == here:
                return inf
            left = tuple(later)
        plan, done, open_bits = set[int](), state, bits_of(wanted & ~state)
        while open_bits:
            bit = open_bits.pop()
            if not bit & done:
                done |= bit
                plan.add(best[bit].number)
                open_bits += bits_of(best[bit].needed & ~done)
        return len(plan)
