"""The graph of all reachable states of a small task."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from math import inf
from typing import Any, TypeVar

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.world import World
from pddl_pipeline.validation.language import Ground

Place = TypeVar("Place", bound=Hashable)


def way_to(last: Place, before: Mapping[Place, Place | None]) -> list[Place]:
    """Return the way to a place, given the place before each; before the first one is None."""
    found = [last]
    while (earlier := before[found[-1]]) is not None:
        found.append(earlier)
    return found[::-1]


class StateGraph:
    """The reachable states, by number, in the order of breadth-first search; 0 is the initial one.

    Args:
        world: the state space.
        effort: what finding them may take, with the largest number of states.
    """

    def __init__(self, world: World[Any], effort: Effort) -> None:
        self.world, self._effort = world, effort
        self.states: list[Any] = []
        self.after: list[list[int]] = []
        """For each state, the states that one action leads to, in the order of the actions."""
        self.before: dict[int, int | None] = {}
        """For each state, the one from which it was found first."""
        self._numbers: dict[Any, int] = {}
        self._add(world.start, None)

    def explore(self) -> Iterator[int]:
        """Yield the states, each before those that one action leads to are found.

        Raises:
            NotJudged: the effort is spent.
        """
        for number, state in enumerate(self.states):  # which grows
            yield number
            # A graph may be explored in parts; what is known is not searched again.
            if number == len(self.after):
                found = self.world.successors(state)
                self.after.append([self._add(after, number) for _, after in found])
            self._effort.spend(0)

    def whole(self) -> StateGraph:
        """Return the graph after finding all states.

        Raises:
            NotJudged: there are too many.
        """
        deque(self.explore(), maxlen=0)
        return self

    def path(self, number: int) -> list[Any]:
        """Return the states of a shortest path to a state."""
        return [self.states[each] for each in way_to(number, self.before)]

    def _add(self, state: Any, before: int | None) -> int:
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self._effort.spend()
            self.states.append(state)
            self.before[number] = before
        return number

    def number(self, state: Any) -> int:
        """Return the number of a reachable state."""
        return self._numbers[state]

    def holding(self, *atoms: Ground) -> set[int]:
        """Return the states in which all of these atoms hold."""
        holds = self.world.holds
        return {
            number
            for number, state in enumerate(self.states)
            if all(holds(atom, state) for atom in atoms)
        }

    def reached(
        self, starts: Iterable[int], through: Callable[[int], bool] = lambda _: True
    ) -> set[int]:
        """Return the states that are reachable through certain states.

        Args:
            starts: the states where the paths begin.
            through: whether a path may leave a state. The last state of a path need not satisfy it.
        """
        found = set(starts)
        queue = deque(found)
        while queue:
            number = queue.popleft()
            if through(number):
                for other in self.after[number]:
                    if other not in found:
                        found.add(other)
                        queue.append(other)
        return found


def distances(
    world: World[Any], start: Any, atoms: Iterable[Ground], most_states: int
) -> dict[Ground, int]:
    """Return the smallest number of actions after which each atom holds, nearest atom first.

    Atoms that are unreachable, or not reached within `most_states` states, are left out.
    """
    left, found, depths = [*dict.fromkeys(atoms)], dict[Ground, int](), list[int]()
    graph = StateGraph(world.starting(start), Effort(inf, most_states))
    with suppress(NotJudged):
        for number in graph.explore():
            before = graph.before[number]
            depths.append(0 if before is None else depths[before] + 1)
            for atom in [each for each in left if world.holds(each, graph.states[number])]:
                found[atom] = depths[-1]
                left.remove(atom)
            if not left:
                break
    return found
