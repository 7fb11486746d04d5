"""The graph of all reachable states of a small task."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.search.world import World
from pddl_pipeline.validation.language import Ground


class StateGraph:
    """The reachable states, by number; state 0 is the initial state."""

    def __init__(self, world: World[Any], most_states: int) -> None:
        """Explore the states breadth first.

        Raises:
            NotJudged: there are more than `most_states` states.
        """
        self.world = world
        self.states: list[Any] = [world.start]
        self.after: list[list[int]] = []
        """For each state, the states that one action leads to, in the order of the actions."""
        self._numbers: dict[Any, int] = {world.start: 0}
        for state in self.states:  # the loop appends to it
            self.after.append([self._add(after) for _, after in world.successors(state)])
            if len(self.states) > most_states:
                raise NotJudged(f"it has more than {most_states:,} states")

    def _add(self, state: Any) -> int:
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
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
    left, found = list(dict.fromkeys(atoms)), dict[Ground, int]()
    seen = {start}
    layer, depth = [start], 0
    while layer:
        for state in layer:
            found |= dict.fromkeys((atom for atom in left if world.holds(atom, state)), depth)
            left = [atom for atom in left if atom not in found]
        if not left:
            break
        here, layer, depth = layer, [], depth + 1
        for _, other in chain.from_iterable(map(world.successors, here)):
            if other not in seen:
                seen.add(other)
                layer.append(other)
                if len(seen) > most_states:
                    return found
    return found
