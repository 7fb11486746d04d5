"""Maps: the columns and rows of cells, from names, directions or neighbours."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates

Cell = tuple[int, int]
"""Column and row, from 0; rows count downwards."""
_COORDINATES: Final = re.compile(r"(\d+)\D+(\d+)\D*$")
_SIDES: Final = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_MOST_FLIPS: Final = 2
# Two flips among 40 pairs are 780 tries, each of which lays out the map.
_MOST_CANDIDATES: Final = 40


def neighbour_facts(facts: Iterable[Ground], predicates: Collection[str]) -> list[Ground]:
    """Return the facts of predicates of neighbours as `cells_of` takes them.

    In a domain with ``(up a b)``, the name of the predicate is the direction, from b to a. Where
    names have column and row, places without them are off the map, such as a loading area.
    """
    found = [
        fact if len(fact) > 3 or side_of(fact[0]) is None else (fact[0], fact[2], fact[1], fact[0])
        for fact in sorted(facts)
        if fact[0] in predicates and len(fact) > 2
    ]
    return [fact for fact in found if all(map(_COORDINATES.search, fact[1:3]))] or found


def grid_of(task: Task) -> tuple[str, ...]:
    """Return the predicates whose facts, which never change, say which cells are neighbours.

    Chains, such as those of numbers, and trees are no grids, which have as many pairs as cells.
    """
    names = task.vocabulary.predicates.keys() - changing_predicates(task.vocabulary)
    sides = {name for name in names if side_of(name) is not None}
    for predicates in (sides, *({name} for name in sorted(names - sides))):
        facts = neighbour_facts(task.facts.facts, predicates)
        cells = [{fact[at] for fact in facts} for at in (1, 2)]
        pairs = {frozenset(fact[1:3]) for fact in facts}
        places = set.union(*cells)
        # A chain has one pair less than places; on a map, each place has up to four neighbours.
        is_map = 3 < len(places) <= len(pairs) < 2 * len(places) and set.intersection(*cells)
        if is_map and cells_of(sorted(places), facts) is not None:
            return tuple(sorted(predicates))
    return ()


def cells_of(names: Sequence[str], neighbours: Sequence[Ground]) -> Mapping[str, Cell] | None:
    """Return the cells of places, or None if no map fits.

    Args:
        names: all places.
        neighbours: facts with two neighbouring places, and the direction from the first to the
            second as third object if there are directions.
    """
    if not {name for fact in neighbours for name in fact[1:3]}.issubset(names):
        return None
    steps = [
        (fact[1], fact[2], side)
        for fact in sorted(neighbours)
        if len(fact) > 3 and (side := side_of(fact[3])) is not None
    ]
    cells = cells_by_name(names)
    if cells is not None and all(
        (cells[fact[2]][0] - cells[fact[1]][0], cells[fact[2]][1] - cells[fact[1]][1])
        in ([side] if len(fact) > 3 and (side := side_of(fact[3])) else _SIDES.values())
        for fact in neighbours
    ):
        return cells
    if steps:
        return cells_by_steps(steps)
    return cells_by_rows(sorted(names, key=natural), [(fact[1], fact[2]) for fact in neighbours])


def cells_by_name(names: Sequence[str]) -> dict[str, Cell] | None:
    """Return the cells of names that end in column and row, such as ``pos-5-3``."""
    found: dict[str, Cell] = {}
    for name in names:
        match = _COORDINATES.search(name)
        # Longer numbers are no coordinates: a map of them would be too large.
        if match is None or len(match[1]) > 4 or len(match[2]) > 4:
            return None
        found[name] = int(match[1]), int(match[2])
    return _from_zero(found) if len(set(found.values())) == len(found) else None


def side_of(direction: str) -> Cell | None:
    """Return the step of a direction whose name contains up, down, left or right."""
    found = [step for word, step in _SIDES.items() if word in direction]
    return found[0] if len(found) == 1 else None


def cells_by_steps(steps: Iterable[tuple[str, str, Cell]]) -> dict[str, Cell] | None:
    """Return the cells of places, given pairs of neighbours and the step between them.

    None if the steps contradict each other, or do not connect all places.
    """
    near: dict[str, list[tuple[str, Cell]]] = {}
    for one, other, (dx, dy) in steps:
        near.setdefault(one, []).append((other, (dx, dy)))
        near.setdefault(other, []).append((one, (-dx, -dy)))
    if not near:
        return None
    start = next(iter(near))
    found: dict[str, Cell] = {start: (0, 0)}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        x, y = found[at]
        for other, (dx, dy) in near[at]:
            cell = x + dx, y + dy
            if other not in found:
                found[other] = cell
                queue.append(other)
            elif found[other] != cell:
                return None
    if len(found) < len(near) or len(set(found.values())) < len(found):
        return None
    return _from_zero(found)


def cells_by_rows(
    places: Sequence[str], pairs: Iterable[tuple[str, str]]
) -> dict[str, Cell] | None:
    """Return the cells of places that are numbered row by row, given the pairs of neighbours.

    Neighbours with successive numbers are then beside each other, others above each other. In a
    column of width 1, successive ones may also be above each other: up to two such pairs are found
    by trying. None if no map fits, or if several parts are not connected.
    """
    rank = {name: index for index, name in enumerate(places)}
    edges = sorted(
        {tuple(sorted((rank[one], rank[other]))) for one, other in pairs if one != other}
    )
    beside = [(one, other) for one, other in edges if other == one + 1]
    for count in range(_MOST_FLIPS + 1):
        for flipped in combinations(beside[:_MOST_CANDIDATES] if count else beside, count):
            steps = [
                (
                    places[one],
                    places[other],
                    (1, 0) if other == one + 1 and (one, other) not in flipped else (0, 1),
                )
                for one, other in edges
            ]
            found = cells_by_steps(steps)
            if found is not None and _is_by_rows(found, rank):
                return found
    return None


def _is_by_rows(cells: Mapping[str, Cell], rank: Mapping[str, int]) -> bool:
    order = sorted(cells, key=lambda name: (cells[name][1], cells[name][0]))
    return [rank[name] for name in order] == sorted(rank[name] for name in order)


def _from_zero(cells: Mapping[str, Cell]) -> dict[str, Cell]:
    left = min(x for x, _ in cells.values())
    top = min(y for _, y in cells.values())
    return {name: (x - left, y - top) for name, (x, y) in cells.items()}
