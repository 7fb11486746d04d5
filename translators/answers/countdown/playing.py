"""Applies statements to the numbers of a task: an expression alone, or steps one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from pddl_pipeline.arithmetic.operations import ACTIONS
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.number import Number
from pddl_pipeline.translators.answers.countdown.board import MOST_STEPS, Board, DescribedOperation
from pddl_pipeline.translators.answers.countdown.expression import (
    SAME,
    Expression,
    Flaw,
    read_expression,
)
from pddl_pipeline.translators.answers.countdown.operations import (
    Operand,
    distance,
    number_of,
    shown,
    turned_around,
)
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.countdown.statement import Claim, Statement, value_of_text
from pddl_pipeline.translators.answers.lines import AnswerLine

_OPERAND: Final = r"\(?\s{0,3}(-?\s?\d+(?:/\d+|\.\d+)?)\s{0,3}\)?"
_STEP: Final = re.compile(rf"\s*{_OPERAND}\s*([-+*/xX])\s*{_OPERAND}\s*")
# In 8/3/2 the first fraction may be 8/3, or the second 3/2.
_STEP_BY_FRACTION: Final = re.compile(rf"\s*\(?(-?\d+)\)?\s*(/)\s*{_OPERAND}\s*")
_CLAIM: Final = re.compile(rf"\s*{_OPERAND}\s*")
_DECIMAL: Final = re.compile(r"-?\d+\.(\d+)")
_MOST_CLAIMS: Final = 20


def is_step(text: str) -> bool:
    """Return whether a text is one operation on two numbers."""
    return _STEP.fullmatch(text) is not None


def read_alone(
    statement: Statement, start: Start, notes: dict[int, str] | None = None
) -> DescribedOperation:
    """Read one expression as the whole answer."""
    board = Board(start)
    expression = read_expression(statement.text)
    if isinstance(expression, Flaw):
        board.fault(*expression, statement.piece)
        return DescribedOperation(board, notes or {})
    result = _run(expression, board, statement.piece)
    false = false_claim(statement, result.value)
    if false is not None:
        board.stated = (false, statement.piece.number)
    return DescribedOperation(board, notes or {})


def play_all(steps: Sequence[Statement], start: Start) -> DescribedOperation:
    """Read statements as consecutive steps; later steps may use earlier results.

    A step that is told again, though its numbers are used up, is read once.
    """
    board, notes = Board(start), dict[int, str]()
    if len(steps) > MOST_STEPS:
        message = f"found {len(steps)} steps, only the first {MOST_STEPS} are read"
        board.fault(ErrorKind.BAD_FORMAT, message, steps[MOST_STEPS].piece)
    played = set[tuple[str, str, str]]()
    for step in steps[:MOST_STEPS]:
        flaw = _play(step, board, played)
        if flaw is not None:
            board.fault(*flaw, step.piece)
            notes[step.piece.number] = flaw.message
    return DescribedOperation(board, notes)


def play_whole(steps: Sequence[Statement], start: Start) -> DescribedOperation | None:
    """Read statements as consecutive steps that use every number once, without a mistake.

    Return None for other statements; the reading stops at the first that cannot be such a step.
    """
    board, played = Board(start), set[tuple[str, str, str]]()
    most = len(start.numbers) - 1
    for step in steps if len(steps) <= MOST_STEPS else ():
        if _play(step, board, played) is not None or board.faults or len(board.operations) > most:
            return None
    described = DescribedOperation(board, {})
    return described if is_whole(described, start) else None


def is_whole(described: DescribedOperation, start: Start) -> bool:
    """Return whether an answer uses every number once, without a mistake in its text."""
    board = described.board
    complete = len(board.operations) + 1 == len(board.used) == len(start.numbers)
    return complete and not board.faults


def _play(step: Statement, board: Board, played: set[tuple[str, str, str]]) -> Flaw | None:
    """Apply one step to the board; return why it cannot be read, or None."""
    piece = step.piece
    operands = _operands(step, board)
    if operands is not None:
        action, first, second = operands
        if operands in played and not _both_left(first, second, board):
            return None
        played.add(operands)
        result = board.combine(action, board.take(first, piece), board.take(second, piece), piece)
    else:
        expression = read_expression(step.text)
        if isinstance(expression, Flaw):
            return expression
        result = _run(expression, board, piece)
    false = false_claim(step, result.value)
    if false is not None:
        board.fault(ErrorKind.UNKNOWN_NUMBER, false, piece)
    board.put(result)
    return None


def _operands(step: Statement, board: Board) -> tuple[str, str, str] | None:
    """Return the action and operands if a step is one operation on numbers left, else None.

    ``8/3`` and ``-3`` are numbers if these are left, and expressions otherwise.
    """
    for form in (_STEP, _STEP_BY_FRACTION):
        match = form.fullmatch(step.text)
        if match is None:
            continue
        first, sign, second = match.groups()
        plain = first.isdigit() and second.isdigit()
        if plain or (_is_left(first, board) and _is_left(second, board)):
            return ACTIONS[SAME.get(sign, sign)], first, second
    return None


def _is_left(word: str, board: Board) -> bool:
    """Return whether an operand is a number that is left; 0/4 is a division, not a number."""
    value = number_of(word)
    if value is None or (isinstance(value, int) and "/" in word):
        return False
    return board.has(value)


def _both_left(first: str, second: str, board: Board) -> bool:
    """Return whether both operands are left, as different numbers."""
    x, y = number_of(first), number_of(second)
    if x is None or y is None or not (board.has(x) and board.has(y)):
        return False
    return x != y or len(board.left[x]) > 1


def _run(expression: Expression, board: Board, piece: AnswerLine) -> Operand:
    """Apply the operations of an expression; return its result."""
    numbers, program = expression
    operands = board.take_all(numbers, piece)
    for action, first, second in program.operations:
        operands[first] = board.combine(action, operands[first], operands[second], piece)
    result = operands[program.result]
    board.turned |= program.turned
    board.result, board.piece = turned_around(result) if program.negative else result, piece
    return board.result


def false_claim(statement: Statement, value: Number | None) -> str | None:
    """Return the message about the first stated value that is false, or None."""
    if value is None:
        return None
    for claim in statement.claims[:_MOST_CLAIMS]:
        if claim.text and not is_true(claim, value):
            return f"{statement.text.strip()[:60]} is {shown(value)}, not {claim.text[:40]}"
    return None


def is_true(claim: Claim, value: Number) -> bool:
    """Return whether a stated value is right.

    Behind ``≈``, decimals may be rounded or cut off. An expression with decimals in a chain is
    rounded itself, so it is not checked.
    """
    match = _CLAIM.fullmatch(claim.text)
    if match is None:
        return _DECIMAL.search(claim.text) is not None or value_of_text(claim.text) == value
    stated = number_of(match[1])
    if stated is None or stated == value:
        return stated is not None
    decimal = _DECIMAL.fullmatch(match[1])
    places = len(decimal[1]) if decimal else 0
    return claim.rounded and distance(stated, value) < Fraction(1, 10**places)
