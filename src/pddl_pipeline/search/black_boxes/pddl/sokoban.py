"""Sokoban in PDDL as AutoToS's player, stones and grid."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.search.black_boxes.domain import Puzzle, own_space
from pddl_pipeline.search.black_boxes.domains.sokoban import DOMAIN, GOAL, WALL
from pddl_pipeline.search.black_boxes.pddl.bridge import Bridge, Form, replayed
from pddl_pipeline.search.space import State
from pddl_pipeline.translators.given_pddl import same_actions
from pddl_pipeline.translators.problems import facts_named, goal_atoms
from pddl_pipeline.validation.language import And, Atom
from pddl_pipeline.validation.state import State as PddlState
from pddl_pipeline.validation.task import Task

Cell = tuple[int, int]
"""Indices of the grid, from 0: the numbers in the name of a place, minus 1."""

_DIRECTIONS: Final = {
    "dir-down": (0, 1), "dir-left": (-1, 0), "dir-right": (1, 0), "dir-up": (0, -1)
}  # fmt: skip


class _Map(NamedTuple):
    """The cells of a problem."""

    players: list[Cell]
    stones: dict[str, Cell]
    floor: set[Cell]
    """Cells that are clear or occupied: no other cell can be entered."""
    goals: set[Cell]


def bridge(task: Task, domain: str) -> Bridge | None:
    """Return a Sokoban task as a black box, or None for a task with another meaning.

    Args:
        task: the task.
        domain: text of the domain.
    """
    if not same_actions(domain, domain_text("sokoban")) or task.facts.unsupported:
        return None
    try:
        seen = _seen(task)
    except ValueError:
        # The name of a place has another form.
        return None
    if not _says_the_same(task, seen):
        return None
    things = {name: "player" in kinds for name, kinds in task.vocabulary.objects.items()}

    def same(pddl: PddlState, state: State) -> bool:
        return DOMAIN.key(_state(pddl, things)) == DOMAIN.key(state)

    puzzle = Puzzle(
        {"at-player": seen.players[0], "at-stone": list(seen.stones.values())}, _grid(task, seen)
    )
    return Bridge(
        own_space(DOMAIN, puzzle), lambda path: replayed(task, path, same), Form(DOMAIN, puzzle)
    )


def _cell(place: str) -> Cell:
    _, x, y = place.split("-")
    return int(x) - 1, int(y) - 1


def _seen(task: Task) -> _Map:
    objects = task.vocabulary.objects
    at = {thing: _cell(place) for _, thing, place in facts_named(task, "at")}
    return _Map(
        [cell for thing, cell in at.items() if "player" in objects[thing]],
        {thing: cell for thing, cell in at.items() if "stone" in objects[thing]},
        {_cell(place) for _, place in facts_named(task, "clear")} | set(at.values()),
        {_cell(place) for _, place in facts_named(task, "is-goal")},
    )


def _says_the_same(task: Task, seen: _Map) -> bool:
    """Return whether the grid allows the same moves as the PDDL, and has the same goal.

    The grid may allow slightly more: AutoToS's p05 has a cell that is neither goal nor non-goal,
    where no stone can be pushed, and one that is both, where `replayed` finds ``push-to-goal``
    first.
    """
    stones = [name for name, kinds in task.vocabulary.objects.items() if "stone" in kinds]
    ways = Counter(
        (_cell(a), _cell(b), direction) for _, a, b, direction in facts_named(task, "move-dir")
    )
    wanted = {
        (here, (here[0] + x, here[1] + y), name)
        for here in seen.floor
        for name, (x, y) in _DIRECTIONS.items()
        if (here[0] + x, here[1] + y) in seen.floor
    }
    done = {stone for _, stone in facts_named(task, "at-goal")}
    taken = [*seen.players, *seen.stones.values()]
    return (
        len(seen.players) == 1
        and len(facts_named(task, "at")) == len(taken) == len(set(taken))
        and sorted(stones) == sorted(seen.stones)
        and seen.goals <= seen.floor
        and {way for way in ways if way[0] in seen.floor and way[1] in seen.floor} == wanted
        and done == {stone for stone, cell in seen.stones.items() if cell in seen.goals}
        and _asks_for(task, stones)
    )


def _asks_for(task: Task, stones: list[str]) -> bool:
    """Return whether the goal is exactly that every stone is at a goal."""
    goal = task.facts.goal
    parts = goal.parts if isinstance(goal, And) else (goal,)
    wanted = {("at-goal", stone) for stone in stones}
    return all(isinstance(part, Atom) for part in parts) and set(goal_atoms(task)) == wanted


def _grid(task: Task, seen: _Map) -> list[list[int]]:
    cells = [_cell(name) for name, kinds in task.vocabulary.objects.items() if "location" in kinds]
    grid = [[WALL] * (max(y for _, y in cells) + 1) for _ in range(max(x for x, _ in cells) + 1)]
    for x, y in seen.floor:
        grid[x][y] = GOAL if (x, y) in seen.goals else 0
    return grid


def _state(pddl: PddlState, is_player: dict[str, bool]) -> State:
    at = [(fact[1], _cell(fact[2])) for fact in pddl.facts if fact[0] == "at"]
    return {
        "at-player": next(cell for thing, cell in at if is_player[thing]),
        "at-stone": [cell for thing, cell in at if not is_player[thing]],
    }
