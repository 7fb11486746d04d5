"""Countdown's referee. It has its own arithmetic, to judge independently of the validator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import add, mul, sub
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.referee import play_all


def referee(instance: Instance[Any], plan: Plan) -> str | None:
    """Play a plan on the record's numbers; return the first fault, or None."""
    board: dict[str, Number] = instance.record.board
    return play_all(
        plan,
        lambda step: _play(step, board, instance.record.target),
        [("goalreached",)],
        lambda _: any(step.action == "checkgoal" for step in plan.steps),
    )


def _play(step: Step, board: dict[str, Number], target: int) -> str | None:
    """Combine two numbers on the board, or check the last one; return the fault, or None."""
    action, arguments = step.action, step.arguments
    for name in arguments:
        if name not in board:
            return f"{name} is not on the board"
    if action == "checkgoal":
        (left,) = arguments
        if len(board) > 1:
            return f"{len(board)} numbers are left"
        return None if board[left] == target else f"{board[left]} is left, not {target}"
    first, second = arguments
    if first == second:
        return "a number cannot be combined with itself"
    # The result takes the first number's name; the second one is gone.
    x, y = board[first], board.pop(second)
    if action == "subtract" and x < y:
        return f"{x} - {y} is negative"
    if action == "divide" and y == 0:
        return f"{x} / 0"
    board[first] = _OPERATIONS[action](x, y)
    return None


def _ratio(x: Number, y: Number) -> Number:
    if type(x) is int and type(y) is int:
        whole, rest = divmod(x, y)
        return Fraction(x, y) if rest else whole
    return normal(Fraction(x, y))


_OPERATIONS: Final[Mapping[str, Callable[[Any, Any], Number]]] = {
    "add": add,
    "subtract": sub,
    "multiply": mul,
    "divide": _ratio,
}
