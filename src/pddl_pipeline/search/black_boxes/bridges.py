"""Converts PDDL tasks to black boxes, and paths of black boxes to plans.

Blocksworld (with this project's names or those of a variant), Sokoban and countdown have forms
of their own; any other task is its state space as two functions.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import permutations, product
from math import isclose
from typing import Any, Final, NamedTuple

from pddl_pipeline.countdown.recognition import countdown_of
from pddl_pipeline.model.operations import CHECK, combine
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle, own_space
from pddl_pipeline.search.black_boxes.domains import blocksworld, countdown, sokoban
from pddl_pipeline.search.space import Space, State
from pddl_pipeline.search.world import World, world_of
from pddl_pipeline.translators.domains.blocksworld import Blocksworld, facts_of
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.given_pddl import recognise, same_actions
from pddl_pipeline.translators.problems import facts_named, only_atoms
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import Task


class Unsound(Exception):
    """No step of the task leads from one state of a path to the next; the text names both."""

    def __init__(self, number: int, before: State, after: State) -> None:
        super().__init__(f"no step leads from {before} to {after} (step {number})")


class Form(NamedTuple):
    """A task in the form of a black-box domain."""

    domain: Domain
    puzzle: Puzzle


class Bridge(NamedTuple):
    """A task as a black box."""

    space: Space
    """The state space with the project's functions."""
    plan: Callable[[Sequence[State]], Plan]
    """Return the plan of a path that includes the start. Raise `Unsound` if there is none."""
    form: Form | None = None
    """The arguments for external functions; None if the task is not of a black-box domain."""


def bridge_of(task: Task, domain: str, problem: str) -> Bridge:
    """Return a task as a black box: that of its domain if it has one, else that of `world_bridge`.

    Args:
        task: the task.
        domain: text of the domain.
        problem: text of the problem.

    Raises:
        NotJudged: the task uses a part of PDDL that is not judged.
    """
    return (
        _blocksworld_bridge(task, domain, problem)
        or _sokoban_bridge(task, domain)
        or countdown_bridge(task)
        or world_bridge(task)
    )


def world_bridge(task: Task) -> Bridge:
    """Return a task as a black box with the states of `world_of`.

    Raises:
        NotJudged: the task uses a part of PDDL that is not judged.
    """
    world = world_of(task)
    space = Space(
        world.start,
        lambda state: (after for _, after in world.successors(state)),
        world.is_goal,
        _itself,
    )
    return Bridge(space, lambda path: replayed(world, path))


def _itself(state: Hashable) -> Hashable:
    return state


def replayed(
    world: World[Any],
    path: Sequence[State],
    own: Callable[[Any], Hashable] = _itself,
    key: Callable[[State], Hashable] = _itself,
) -> Plan:
    """Return the plan of a path, by trying the steps that the task allows.

    Args:
        world: the state space of the task.
        path: the states, including the start.
        own: returns the key of a state of the world.
        key: returns the key of a state of the path; equal keys are the same state.

    Raises:
        Unsound: no step leads from one state to the next.
    """
    here, steps = world.start, list[Step]()
    for number, after in enumerate(path[1:], start=1):
        wanted = key(after)
        found = (way for way in world.successors(here) if own(way[1]) == wanted)
        step, here = next(found, (None, None))
        if step is None:
            raise Unsound(number, path[number - 1], after)
        steps.append(step)
    return Plan(steps)


def _formed(task: Task, form: Form, state_of: Callable[[Iterable[Ground]], State]) -> Bridge:
    """Return a task whose states have another form, given the state in which some facts hold."""
    key = form.domain.key

    def plan(path: Sequence[State]) -> Plan:
        world = world_of(task)
        return replayed(world, path, lambda here: key(state_of(world.atoms(here))), key)

    return Bridge(own_space(*form), plan, form)


_GOALS: Final = {"clear", "ontable", "on"}
"""The predicates that a goal in the form of the black box can contain."""


def _blocksworld_bridge(task: Task, domain: str, problem: str) -> Bridge | None:
    """Return a blocksworld task as a black box, or None for another task."""
    known = recognise(task, domain, problem)
    if known is None or known.domain != blocksworld.DOMAIN.name:
        return None
    if any(atom[0] not in _GOALS for atom in known.form.goal):
        return None
    names = known.names
    form = Form(blocksworld.DOMAIN, puzzle_of(known.form))
    return _formed(
        task, form, lambda facts: _blocks_state((names.get(f[0], f[0]), *f[1:]) for f in facts)
    )


def puzzle_of(form: Blocksworld) -> Puzzle:
    """Return an instance in the form of the black box."""
    goal = _blocks_state(form.goal)
    return Puzzle(
        _blocks_state(facts_of(form)), {name: goal[name] for name in ("clear", "on-table", "on")}
    )


def _blocks_state(facts: Iterable[Ground]) -> State:
    """Return the state in which these facts hold; their predicates have this project's names."""
    found: dict[str, list[Ground]] = {name: [] for name in (*_GOALS, "holding", "handempty")}
    for name, *blocks in facts:
        found[name].append(tuple(blocks))
    held = [block for (block,) in found["holding"]]
    return {
        "clear": [block for (block,) in found["clear"]],
        "on-table": [block for (block,) in found["ontable"]],
        "arm-empty": bool(found["handempty"]),
        "holding": held[0] if held else None,
        "on": found["on"],
    }


Cell = tuple[int, int]
"""Indices of the grid, from 0: the numbers in the name of a place, minus 1."""

_DIRECTIONS: Final = {
    "dir-down": (0, 1),
    "dir-left": (-1, 0),
    "dir-right": (1, 0),
    "dir-up": (0, -1),
}


def _sokoban_bridge(task: Task, domain: str) -> Bridge | None:
    """Return a Sokoban task as a black box, or None for a task with another meaning."""
    if not same_actions(domain, domain_text("sokoban")) or task.facts.unsupported:
        return None
    kinds = task.vocabulary.objects
    try:
        cells = {name: _cell(name) for name, types in kinds.items() if "location" in types}
    except ValueError:
        # The name of a place has another form.
        return None

    def state_of(facts: Iterable[Ground]) -> State:
        at = [(fact[1], cells[fact[2]]) for fact in facts if fact[0] == "at"]
        return {
            "at-player": next(cell for thing, cell in at if "player" in kinds[thing]),
            "at-stone": [cell for thing, cell in at if "player" not in kinds[thing]],
        }

    at = {thing: cells[place] for _, thing, place in facts_named(task, "at")}
    floor = {cells[place] for _, place in facts_named(task, "clear")} | set(at.values())
    goals = {cells[place] for _, place in facts_named(task, "is-goal")}
    if not _says_the_same(task, cells, at, floor, goals):
        return None
    width, height = (max(numbers) + 1 for numbers in zip(*cells.values(), strict=True))
    grid = [[sokoban.WALL] * height for _ in range(width)]
    for x, y in floor:
        grid[x][y] = sokoban.GOAL if (x, y) in goals else 0
    start = state_of(facts_named(task, "at"))
    return _formed(task, Form(sokoban.DOMAIN, Puzzle(start, grid)), state_of)


def _cell(place: str) -> Cell:
    _, x, y = place.split("-")
    return int(x) - 1, int(y) - 1


def _says_the_same(
    task: Task,
    cells: Mapping[str, Cell],
    at: Mapping[str, Cell],
    floor: set[Cell],
    goals: set[Cell],
) -> bool:
    """Return whether the grid allows the same moves as the PDDL, and has the same goal.

    The grid may allow slightly more: a public task has a cell that is neither goal nor non-goal,
    where no stone can be pushed, and one that is both, where `replayed` finds ``push-to-goal``
    first.
    """
    stones = {name for name, types in task.vocabulary.objects.items() if "stone" in types}
    ways = {(cells[a], cells[b], way) for _, a, b, way in facts_named(task, "move-dir")}
    wanted = {
        (here, there, name)
        for here in floor
        for name, (x, y) in _DIRECTIONS.items()
        if (there := (here[0] + x, here[1] + y)) in floor
    }
    done = {stone for _, stone in facts_named(task, "at-goal")}
    return (
        len(facts_named(task, "at")) == len(at) == len(set(at.values())) == len(stones) + 1
        and at.keys() > stones
        and goals <= floor
        and {way for way in ways if floor.issuperset(way[:2])} == wanted
        and done == {stone for stone in stones if at[stone] in goals}
        and set(only_atoms(task.facts.goal) or ()) == {("at-goal", stone) for stone in stones}
    )


_SLACK: Final = 1e-6
"""Maximum relative difference between a number of external code and the result of a step."""
_ACTIONS: Final = ("add", "multiply", "subtract", "divide")
"""The actions in order of preference: several may have the same result."""
Board = dict[str, Any]
"""The remaining numbers, by the names of their objects."""


def countdown_bridge(
    task: Task, *, floats: bool = False, zeros: bool = True, tolerance: float = 0
) -> Bridge | None:
    """Return a countdown task as a black box, or None for another task; see `countdown_space`."""
    found = countdown_of(task)
    if found is None:
        return None
    space = countdown.countdown_space(
        found.numbers, found.target, floats=floats, zeros=zeros, tolerance=tolerance
    )
    form = Form(countdown.DOMAIN, Puzzle(list(found.numbers), found.target))
    return Bridge(space, lambda path: plan_along(found, path), form)


def plan_along(instance: Countdown, path: Sequence[State]) -> Plan:
    """Return the steps of a path, and a last step that checks the goal.

    Each step is computed with the numbers of the path, so that a path over floats results in the
    plan that the floats claim.

    Raises:
        Unsound: no step leads from one state to the next.
    """
    board: Board = instance.board
    if any(isinstance(number, float) for number in path[0]):
        board = {name: float(number) for name, number in board.items()}
    steps = []
    for number, after in enumerate(path[1:], start=1):
        step = _step(board, after)
        if step is None:
            raise Unsound(number, path[number - 1], after)
        steps.append(step)
    return Plan([*steps, Step(CHECK, (next(iter(board)),))])


def _step(board: Board, after: list[Any]) -> Step | None:
    """Apply to the board the step that leads to a state, and return it, or None without one."""
    wanted = sorted(after)
    # Exactly first: with slack, another pair might also seem to fit.
    for slack, (first, second), action in product((0, _SLACK), permutations(board, 2), _ACTIONS):
        try:
            made = combine(action, board[first], board[second])
        except (ZeroDivisionError, OverflowError):
            continue
        others = sorted(board[name] for name in board if name not in (first, second))
        place = bisect(others, made)
        others.insert(place, made)
        if len(others) == len(wanted) and all(map(partial(_equal, slack), others, wanted)):
            # The result has the name of the first number, as in the PDDL.
            del board[second]
            board[first] = wanted[place]
            return Step(action, (first, second))
    return None


def _equal(slack: float, x: Any, y: Any) -> bool:
    return x == y or (slack > 0 and isclose(x, y, rel_tol=slack, abs_tol=slack))
