"""Minigrid instances as in SimPlan: nine rooms, locks of random shapes, one key for each shape.

SimPlan, Appendix D and Table 8: the floor plan of Figure 12; 1 or 2 shapes in simple and 3 to 8 in
complex instances. As in the published instances, the goal is in another room, and the robot can
reach the keys that it needs on the way; the paper does not state this.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator
from random import Random
from typing import Final

from pddl_pipeline.generators.generator import METHOD, Draft, Generator, NoSettings, presets
from pddl_pipeline.translators.domains.minigrid import Key, Minigrid

FLOORPLAN: Final = (
    "..L..w..",
    "..w..L..",
    "LwwwwwwL",
    "..L..w..",
    "..w..L..",
    "wLwwwwww",
    "..w..L..",
    "..L..w..",
)
_SIMPLE: Final = range(1, 3)
_PLACES: Final = {
    f"p{number}": cell
    for number, cell in enumerate(
        (row, column)
        for row, cells in enumerate(FLOORPLAN)
        for column, kind in enumerate(cells)
        if kind != "w"
    )
}
_AT: Final = {cell: place for place, cell in _PLACES.items()}
_LOCKED: Final = [
    place for place, (row, column) in _PLACES.items() if FLOORPLAN[row][column] == "L"
]
_OPEN: Final = [place for place in _PLACES if place not in _LOCKED]
_SIDES: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))


def _make(_: NoSettings, size: int, seed: int) -> tuple[Draft, ...]:
    """Place the keys of the doors on the way at reachable places, and the other keys anywhere."""
    random = Random(seed)
    if size < 1:
        return ()
    # All doors get a lock, also those that no shortest path passes.
    locks = {place: random.randrange(size) for place in _LOCKED}
    robot, goal = random.choice(_OPEN), random.choice(_OPEN)
    doors = _doors_on_way(robot, goal)
    if not doors:
        return ()
    keys: dict[int, str] = {}
    for door in doors:
        if locks[door] not in keys:
            # A door opens with any key of its shape, so the keys so far may open others, too.
            opened = [place for place, shape in locks.items() if shape in keys]
            keys[locks[door]] = random.choice(list(_reached(robot, {*_OPEN, *opened})))
    for shape in range(size):
        # Keys that are not needed may lie where the robot never comes.
        keys.setdefault(shape, random.choice(list(_PLACES)))
    task = Minigrid(
        FLOORPLAN,
        {f"key{shape}": Key(f"shape{shape}", keys[shape]) for shape in range(size)},
        {place: f"shape{shape}" for place, shape in locks.items()},
        robot,
        goal,
    )
    return (Draft(task),)


def _doors_on_way(start: str, goal: str) -> list[str]:
    """Return the doors on a shortest path, in order."""
    before = _reached(start, _PLACES)
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return [place for place in reversed(way) if place in _LOCKED]


def _reached(start: str, passable: Container[str]) -> dict[str, str]:
    """Return the reachable places, each with the place before it, nearest first.

    These are all places that the robot can reach with the keys of the open doors. It holds one key
    at a time, but keys are not used up, doors stay open, and every step is reversible: it can fetch
    each key in turn.
    """
    before = {start: start}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        for other in _neighbours(place):
            if other in passable and other not in before:
                before[other] = place
                queue.append(other)
    return before


def _neighbours(place: str) -> Iterator[str]:
    row, column = _PLACES[place]
    return (_AT[cell] for down, right in _SIDES if (cell := (row + down, column + right)) in _AT)


GENERATORS: Final = (
    Generator(
        domain="minigrid",
        method=METHOD,
        about="nine rooms with random places, locks and keys, such that the goal can be reached",
        settings=NoSettings,
        sizes=_SIMPLE,
        make=_make,
        presets=presets(_SIMPLE, range(3, 9)),
    ),
)
