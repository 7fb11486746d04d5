"""Countdown's referee. It has its own arithmetic, to judge independently of the validator."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

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
    for name in step.arguments:
        if name not in board:
            return f"{name} is not on the board"
    if step.action == "checkgoal":
        (left,) = step.arguments
        if len(board) > 1:
            return f"{len(board)} numbers are left"
        return None if board[left] == target else f"{board[left]} is left, not {target}"
    first, second = step.arguments
    if first == second:
        return "a number cannot be combined with itself"
    x, y = board[first], board.pop(second)
    if step.action == "subtract" and x < y:
        return f"{x} - {y} is negative"
    if step.action == "divide" and y == 0:
        return f"{x} / 0"
    board[first] = _combined(step.action, x, y)
    return None


def _combined(action: str, x: Number, y: Number) -> Number:
    if action == "add":
        return x + y
    if action == "subtract":
        return x - y
    return x * y if action == "multiply" else normal(Fraction(x, y))
