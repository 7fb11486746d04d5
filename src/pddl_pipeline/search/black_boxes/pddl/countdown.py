"""Countdown in PDDL as a list of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import isclose
from typing import Any, Final

from pddl_pipeline.countdown.recognition import countdown_of
from pddl_pipeline.model.operations import CHECK, combine
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.search.black_boxes.domain import Puzzle
from pddl_pipeline.search.black_boxes.domains.countdown import DOMAIN, countdown_space
from pddl_pipeline.search.black_boxes.pddl.bridge import Bridge, Form, Unsound
from pddl_pipeline.search.space import State
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.validation.task import Task

_SLACK: Final = 1e-6
"""Maximum relative difference between a number of external code and the result of a step."""
_ACTIONS: Final = ("add", "multiply", "subtract", "divide")
"""The actions in order of preference: several may have the same result."""
Board = dict[str, Any]
"""The remaining numbers, by the names of their objects."""


def bridge(
    task: Task, *, floats: bool = False, zeros: bool = True, tolerance: float = 0
) -> Bridge | None:
    """Return a countdown task as a black box, or None for another task; see `countdown_space`."""
    found = countdown_of(task)
    if found is None:
        return None
    space = countdown_space(
        found.numbers, found.target, floats=floats, zeros=zeros, tolerance=tolerance
    )
    form = Form(DOMAIN, Puzzle(list(found.numbers), found.target))
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
    if len(board) - len(after) != 1:
        return None
    for slack in (0, _SLACK):
        gone, made = _difference(board, after, slack)
        trials: list[tuple[tuple[str, str], Any]] = []
        if len(gone) == 1 and not made:
            # A number was combined with another one, and the result equals the other one.
            others = [name for name in board if name != gone[0]]
            trials = [(pair, board[o]) for o in others for pair in ((gone[0], o), (o, gone[0]))]
        elif len(gone) == 2 and len(made) == 1:
            trials = [(pair, made[0]) for pair in permutations(gone, 2)]
        for (first, second), wanted in trials:
            action = _action(board[first], board[second], wanted, slack)
            if action is not None:
                del board[second]
                board[first] = wanted
                return Step(action, (first, second))
    return None


def _difference(board: Board, after: list[Any], slack: float) -> tuple[list[str], list[Any]]:
    """Return the names whose numbers are not in a state, and its numbers not on the board."""
    gone, made = [], list(after)
    for name, number in board.items():
        same = next((n for n, each in enumerate(made) if _equal(each, number, slack)), None)
        if same is None:
            gone.append(name)
        else:
            del made[same]
    return gone, made


def _action(x: Any, y: Any, wanted: Any, slack: float) -> str | None:
    """Return the action that computes a number from two numbers, or None."""
    for action in _ACTIONS:
        try:
            if _equal(combine(action, x, y), wanted, slack):
                return action
        except (ZeroDivisionError, OverflowError):
            continue
    return None


def _equal(x: Any, y: Any, slack: float) -> bool:
    if x == y:
        return True
    return bool(slack) and isclose(x, y, rel_tol=slack, abs_tol=slack)
