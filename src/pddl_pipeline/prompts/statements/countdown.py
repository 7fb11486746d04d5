"""Countdown in words: the paper's description of the game (Katz et al., Figure 11).

The paper prints no other part of its prompts, so the request for an answer is this project's. It
has the form of the 24 game's prompts (Yao et al. 2023): ``Steps:``, one operation per line,
``Answer:``; the styles ``propose`` and ``value`` have that of Tree of Thoughts, in other words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.operations import PRECEDENCE, SIGNS, combine, operand_text
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.prompts.statement import Statement, Style
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.domains.countdown_rules import Rules
from pddl_pipeline.translators.given_pddl import own_record
from pddl_pipeline.validation.task import Task

_GAME: Final = (
    "The Countdown Game is a mathematical game in which the objective is to find a way to"
    " manipulate a list of integers using any combination of addition, subtraction, multiplication,"
    " or division, to arrive at the target number."
)
_ALL: Final = "The player must use all numbers exactly once."
_SOME: Final = "The player may use each number at most once, and need not use all of them."
_ANSWER: Final = "'Answer:', then an expression of the given numbers, then '=' and the target"
_IO: Final = (
    f"Answer with one line and nothing else: {_ANSWER}, such as 'Answer: (1 + 3) * 7 = 28'."
)
_COT: Final = (
    "Solve the task step by step. Write 'Steps:', then one operation a line: two of the numbers"
    " that are left, what they give, and in parentheses the numbers that are left then, such as"
    " '1 + 3 = 4 (left: 4 7)'. Put a fraction with which you calculate in parentheses, such as"
    f" '7 / (1/4) = 28 (left: 28)'. End with the line {_ANSWER}, such as"
    " 'Answer: (1 + 3) * 7 = 28'."
)
_PROPOSE: Final = (
    "List operations that may come next: two of the numbers, what they give, and in parentheses the"
    " numbers that are left then, one operation a line, such as '1 + 3 = 4 (left: 4 7)'. Do not"
    " solve the task."
)
_VALUE: Final = (
    "Can the target be reached from these numbers? Try some calculations, one a line. Then write"
    " one word as the last line: 'sure' if one of them reaches it, 'likely' if the numbers have a"
    " suitable size, or 'impossible' if they are too small or too large."
)
_SIGN: Final = {
    False: "No number on the way may be negative.",
    True: "Numbers on the way may be negative.",
}
_WHOLE: Final = {
    False: "No number on the way may be a fraction.",
    True: "Numbers on the way may be fractions.",
}
_DIVISION: Final = {
    "positive": "Nothing may be divided by 0.",
    "nonzero": "Nothing may be divided by 0.",
    "exact": "Nothing may be divided by 0, or where a remainder is left.",
}
_NUMBER_RANK: Final = 3


class _Number(NamedTuple):
    """A number on the board."""

    value: Number
    expression: str
    """How it was computed from the initial numbers."""
    rank: int
    """Precedence of the last operator in the expression."""


def _describe(instance: Instance[Any], _task: Task) -> str:
    """Return the paper's description and the rules: the source's if any, else the paper's."""
    rules = Rules(**instance.extras.get("rules") or {})
    used = _ALL if rules.all_used else _SOME
    stated = [_SIGN[rules.negatives], _WHOLE[rules.fractions], _DIVISION[rules.division]]
    return f"{_GAME} {used}\n\n{' '.join(stated)}"


def board_text(numbers: Iterable[Number], target: int) -> str:
    """Return the numbers that are left and the target."""
    return f"Numbers: {' '.join(map(operand_text, numbers))}\nTarget: {target}"


def _task(instance: Instance[Any], _task: Task) -> str:
    form: Countdown = own_record(instance)
    return board_text(form.numbers, form.target)


def _answer(plan: Plan, instance: Instance[Any], _task: Task) -> str:
    """Return the expression that a plan computes, without the step that checks the goal."""
    board = _start(instance)
    last = next(iter(board.values()))
    for step in _operations(plan):
        last = _combine(board, step)
    return f"Answer: {last.expression} = {last.value}"


def _think(plan: Plan, instance: Instance[Any], task: Task) -> str:
    """Return a plan's operations, then its expression."""
    board = _start(instance)
    lines = ["Steps:"]
    for step in _operations(plan):
        first, second = (operand_text(board[name].value) for name in step.arguments)
        result = _combine(board, step).value
        left = " ".join(map(str, sorted(number.value for number in board.values())))
        lines.append(f"{first} {SIGNS[step.action]} {second} = {result} (left: {left})")
    return "\n".join([*lines, _answer(plan, instance, task)])


def _start(instance: Instance[Any]) -> dict[str, _Number]:
    board = own_record(instance).board
    return {name: _Number(n, str(n), _NUMBER_RANK) for name, n in board.items()}


def _operations(plan: Plan) -> Iterator[Step]:
    return (step for step in plan if step.action in SIGNS)


def _combine(board: dict[str, _Number], step: Step) -> _Number:
    """Apply one operation to the board; return the result."""
    sign, (name, other) = SIGNS[step.action], step.arguments
    first, second, rank = board[name], board.pop(other), PRECEDENCE[sign]
    left = first.expression if first.rank >= rank else f"({first.expression})"
    # Parentheses are kept even in 1 + (2 + 3), to show the order of the plan's steps.
    right = second.expression if second.rank > rank else f"({second.expression})"
    value = combine(step.action, first.value, second.value)
    board[name] = _Number(value, f"{left} {sign} {right}", rank)
    return board[name]


STATEMENTS: Final = {
    "countdown": Statement(
        _describe,
        _task,
        {
            "io": Style(_answer, _IO),
            "cot": Style(_think, _COT),
            "propose": Style(None, _PROPOSE),
            "value": Style(None, _VALUE),
        },
    )
}
