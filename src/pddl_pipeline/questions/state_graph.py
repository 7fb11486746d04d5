"""The graph of all states that are reachable from a state, for small tasks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from pddl_pipeline.questions.question import NoQuestion
from pddl_pipeline.questions.world import Key, World
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State

Holds = Callable[[int], bool]


class StateGraph:
    """The reachable states, by number; state 0 is the start."""

    def __init__(self, world: World, start: State, most_states: int) -> None:
        """Explore the states breadth first.

        Raises:
            NoQuestion: there are more than `most_states` states.
        """
        self.keys: list[Key] = []
        self.after: list[list[int]] = []
        """For each state, the states that one action leads to."""
        self._numbers: dict[Key, int] = {}
        self._number(world.key(start))
        for key in self.keys:  # the loop appends to it
            found = world.successors(world.state(key))
            self.after.append([self._number(world.key(each.state)) for each in found])
            if len(self.keys) > most_states:
                raise NoQuestion(f"it has more than {most_states:,} states", final=True)

    def _number(self, key: Key) -> int:
        number = self._numbers.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
        return number

    def number(self, key: Key) -> int:
        """Return the number of a reachable state."""
        return self._numbers[key]

    def holds(self, atom: Ground) -> list[bool]:
        """Return for each state whether an atom holds."""
        return [atom in key.facts for key in self.keys]

    def reached(self, starts: Iterable[int], through: Holds = lambda _: True) -> set[int]:
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
    world: World, start: State, atoms: Iterable[Ground], most_states: int
) -> dict[Ground, int]:
    """Return the smallest number of actions after which each atom holds, nearest atom first.

    Atoms that are unreachable, or not reached within `most_states` states, are left out.
    """
    left, found = set(atoms), dict[Ground, int]()
    seen = {world.key(start)}
    layer, depth = list(seen), 0
    while layer and left:
        for key in layer:
            found |= dict.fromkeys(left & key.facts, depth)
            left -= key.facts
        layer, depth = _next_layer(world, layer, seen, most_states) if left else [], depth + 1
    return found


def _next_layer(world: World, layer: list[Key], seen: set[Key], most_states: int) -> list[Key]:
    """Return the unseen states one action farther; an empty list if there are too many."""
    found = []
    for key in layer:
        for each in world.successors(world.state(key)):
            other = world.key(each.state)
            if other not in seen:
                seen.add(other)
                found.append(other)
        if len(seen) > most_states:
            return []
    return found
