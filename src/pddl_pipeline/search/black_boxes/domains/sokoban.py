"""Sokoban as plain data: the places of the player and the stones, and a grid.

``{"at-player": (4, 4), "at-stone": [(2, 2), (3, 3)]}``, indices of the grid from 0; in the grid 1
is a wall, 2 a goal for a stone and 0 any other floor.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

from pddl_pipeline.search.black_boxes.domain import Domain, Misstep, fault_of
from pddl_pipeline.search.space import NotAState, State

Grid = Sequence[Sequence[int]]

WALL: Final = 1
GOAL: Final = 2
_DIRECTIONS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))


def succ(state: State, grid: Grid) -> Iterator[State]:
    """Yield the states after a move or a push in each direction."""
    x, y = state["at-player"]
    stones = state["at-stone"]
    for right, down in _DIRECTIONS:
        to = (x + right, y + down)
        if not _is_floor(grid, *to):
            continue
        if to not in stones:
            yield {"at-player": to, "at-stone": stones}
            continue
        beyond = (to[0] + right, to[1] + down)
        if _is_floor(grid, *beyond) and beyond not in stones:
            pushed = [beyond if stone == to else stone for stone in stones]
            yield {"at-player": to, "at-stone": pushed}


def _is_floor(grid: Grid, x: int, y: int) -> bool:
    return 0 <= x < len(grid) and 0 <= y < len(grid[x]) and grid[x][y] != WALL


def isgoal(state: State, grid: Grid) -> bool:
    """Return whether every stone is on a goal."""
    return all(grid[x][y] == GOAL for x, y in state["at-stone"])


def key(state: State) -> Hashable:
    """Return a value that does not depend on the order of the stones."""
    try:
        player, stones = state["at-player"], sorted(map(tuple, state["at-stone"]))
        numbers = [*player, *chain.from_iterable(stones)]
        pairs = len(player) == 2 and {2}.issuperset(map(len, stones))
    except (KeyError, TypeError) as error:
        raise NotAState("found no dict of at-player and at-stone") from error
    if not pairs:
        raise NotAState("found a position that is not a pair")
    try:
        # Needs a third of the memory of a tuple.
        return bytes(numbers)
    except (ValueError, TypeError):
        return tuple(numbers)


def tidy(value: Any) -> State:
    """Return a state with pairs as tuples, or an unchanged grid."""
    if isinstance(value, list):
        return value
    stones = [tuple(stone) for stone in value["at-stone"]]
    return {"at-player": tuple(value["at-player"]), "at-stone": stones}


def check_transition(_before: State, after: State, _setting: Any) -> Misstep | None:
    """Check that the player and all stones are at different places."""
    stones = set(map(tuple, after["at-stone"]))
    if len(stones) < len(after["at-stone"]):
        return Misstep("two stones are at one place", fault_of("two-stones"))
    if tuple(after["at-player"]) in stones:
        return Misstep("a stone and the player are at one place", fault_of("stone-and-player"))
    return None


DOMAIN: Final = Domain(
    name="sokoban",
    succ=succ,
    isgoal=isgoal,
    key=key,
    tidy=tidy,
    check_transition=check_transition,
    setting="grid",
    succ_takes=True,
)
