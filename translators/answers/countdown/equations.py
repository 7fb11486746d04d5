"""Reads step lines such as ``4 + 8 = 12 (left: 6 12)``, op strings, and expressions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from pddl_pipeline.arithmetic.operations import ACTIONS
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.number import Number
from pddl_pipeline.translators.answers.countdown.bare import value_of
from pddl_pipeline.translators.answers.countdown.board import MOST_STEPS, Board, DescribedOperation
from pddl_pipeline.translators.answers.countdown.expression import (
    SAME,
    Expression,
    Flaw,
    read_expression,
)
from pddl_pipeline.translators.answers.countdown.operations import (
    Operand,
    number_of,
    shown,
    turned_around,
)
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.lines import AnswerLine
from pddl_pipeline.translators.answers.marks import announces_check
from pddl_pipeline.translators.answers.ornaments import bare_arithmetic, unordered

_DIGIT: Final = re.compile(r"\d", re.ASCII)
# Only arithmetic; the text may still not be an expression.
_BARE: Final = re.compile(r"[\d(][-+*/()\d\s=]*")
_ARITHMETIC: Final = re.compile(r"[-+*/xX()\[\]\d\s.=^%!~√²³]+")
_BINARY: Final = re.compile(r"[\d)\]!]\s{0,3}[-+*/xX^%!(\[]")
_SEPARATORS: Final = re.compile(r"[,;\"']+")
_OPERAND: Final = r"\(?(-?\d+(?:/\d+|\.\d+)?)\)?"
_STEP: Final = re.compile(rf"\s*{_OPERAND}\s*([-+*/xX])\s*{_OPERAND}\s*")
_MOST_CLAIMS: Final = 20
# In 8/3/2 the first fraction may be 8/3, or the second 3/2.
_STEP_BY_FRACTION: Final = re.compile(rf"\s*\(?(-?\d+)\)?\s*(/)\s*{_OPERAND}\s*")
_CLAIM: Final = re.compile(rf"\s*{_OPERAND}\s*")


class Equation(NamedTuple):
    """An expression in an answer, with the values that the answer claims for it."""

    piece: AnswerLine
    text: str
    claims: tuple[str, ...]
    """The texts after ``=``."""


def read_equations(
    pieces: Sequence[AnswerLine], start: Start, *, marked: bool
) -> DescribedOperation | None:
    """Read the equations of an answer; return None if it has none.

    The last equation decides: an expression of the task's numbers is the whole answer, and a step
    is the last of all steps.

    Args:
        pieces: the lines to read.
        start: the task.
        marked: whether the lines are marked as the answer. A single equation is then an
            expression, and its claimed value is ignored, as in the published verdicts.
    """
    # A single line is not a list, so its dash is a minus.
    bullets = sum(_BINARY.search(piece.text) is not None for piece in pieces) > 1
    found = [each for piece in pieces for each in equations_in(piece, bullets=bullets)]
    found = _unchecked(found, pieces, start)
    if not found:
        return None
    if _alone(found, start, marked=marked):
        notes = {e.piece.number: "a later expression decides" for e in found[:-1]}
        notes.pop(found[-1].piece.number, None)
        return read_alone(found[-1], start, notes)
    return play_all(found, start)


def equations_in(piece: AnswerLine, *, bullets: bool = True) -> list[Equation]:
    """Return the equations of a line that contains only equations and labels.

    Args:
        piece: the line.
        bullets: whether a dash at its start is a bullet, and not a minus.
    """
    text = piece.text
    if not _DIGIT.search(text):
        return []
    if _BARE.fullmatch(text) and text.count("(") == text.count(")"):
        return [_equation(piece, text)] if _BINARY.search(text) else []
    text = bare_arithmetic(text, bullets=bullets)
    parts = [text]
    if _SEPARATORS.search(text):
        parts = [part for each in _SEPARATORS.split(text.strip("[]")) if (part := unordered(each))]
    if parts and all(_ARITHMETIC.fullmatch(part) and _BINARY.search(part) for part in parts):
        return [_equation(piece, part) for part in parts]
    return []


def _equation(piece: AnswerLine, text: str) -> Equation:
    left, *claims = text.split("=", _MOST_CLAIMS)
    if claims and not _BINARY.search(left) and _BINARY.search(claims[0]):
        left, claims = claims[0], [left]
    return Equation(piece, left, tuple(claims))


def _unchecked(found: list[Equation], pieces: Sequence[AnswerLine], start: Start) -> list[Equation]:
    """Remove steps that check the answer above them, unless one is a complete expression."""
    heading = next((piece.number for piece in pieces if announces_check(piece)), None)
    if heading is None:
        return found
    above = [equation for equation in found if equation.piece.number < heading]
    wanted = Counter(start.numbers.values())
    is_complete = any(_numbers(equation) == wanted for equation in found[len(above) :])
    return above if above and not is_complete else found


def _numbers(equation: Equation) -> Counter[Number | None]:
    expression = read_expression(equation.text)
    words = () if isinstance(expression, Flaw) else expression.numbers
    return Counter(map(number_of, words))


def _alone(found: list[Equation], start: Start, *, marked: bool) -> bool:
    """Return whether the last equation is the whole answer."""
    last = found[-1]
    if len(found) == 1 and (marked or not last.claims):
        return True
    if last.claims and _STEP.fullmatch(last.text):
        return False
    expression = read_expression(last.text)
    if len(found) == 1 or isinstance(expression, Flaw):
        return True
    return Counter(map(number_of, expression.numbers)) <= Counter(start.numbers.values())


def read_alone(equation: Equation, start: Start, notes: dict[int, str]) -> DescribedOperation:
    """Read one expression as the whole answer."""
    board = Board(start)
    expression = read_expression(equation.text)
    if isinstance(expression, Flaw):
        board.fault(*expression, equation.piece)
        return DescribedOperation(board, notes)
    _run(expression, board, equation.piece)
    return DescribedOperation(board, notes)


def play_all(equations: Sequence[Equation], start: Start) -> DescribedOperation:
    """Read equations as consecutive steps; later steps may use earlier results."""
    board, notes = Board(start), dict[int, str]()
    if len(equations) > MOST_STEPS:
        message = f"found {len(equations)} steps, only the first {MOST_STEPS} are read"
        board.fault(ErrorKind.BAD_FORMAT, message, equations[MOST_STEPS].piece)
    for equation in equations[:MOST_STEPS]:
        flaw = _play(equation, board)
        if flaw is not None:
            board.fault(*flaw, equation.piece)
            notes[equation.piece.number] = flaw.message
    return DescribedOperation(board, notes)


def _play(equation: Equation, board: Board) -> Flaw | None:
    """Apply one equation to the board; return why it cannot be read, or None."""
    piece = equation.piece
    operands = _operands(equation, board)
    if operands is not None:
        action, first, second = operands
        result = board.combine(action, board.take(first, piece), board.take(second, piece), piece)
    else:
        expression = read_expression(equation.text)
        if isinstance(expression, Flaw):
            return expression
        result = _run(expression, board, piece)
    _check_claims(equation, result.value, board)
    board.put(result)
    return None


def _operands(equation: Equation, board: Board) -> tuple[str, str, str] | None:
    """Return the action and operands if an equation is one operation on numbers left, else None.

    ``8/3`` and ``-3`` are numbers if these are left, and expressions otherwise.
    """
    for form in (_STEP, _STEP_BY_FRACTION):
        match = form.fullmatch(equation.text)
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


def _run(expression: Expression, board: Board, piece: AnswerLine) -> Operand:
    """Apply the operations of an expression; return its result."""
    numbers, program = expression
    operands = [board.take(word, piece) for word in numbers]
    for action, first, second in program.operations:
        operands[first] = board.combine(action, operands[first], operands[second], piece)
    result = operands[program.result]
    board.turned |= program.turned
    board.result, board.piece = turned_around(result) if program.negative else result, piece
    return board.result


def _check_claims(equation: Equation, value: Number | None, board: Board) -> None:
    """Add a fault for the first claimed value that differs from the result."""
    if value is None:
        return
    for claim in equation.claims:
        if claim.strip() and _claimed(claim) != value:
            message = f"{equation.text.strip()[:60]} is {shown(value)}, not {claim.strip()[:40]}"
            board.fault(ErrorKind.UNKNOWN_NUMBER, message, equation.piece)
            return


def _claimed(claim: str) -> Number | None:
    """Return the value of the text after ``=``: a number or an expression; None for other text."""
    match = _CLAIM.fullmatch(claim)
    if match is not None:
        return number_of(match[1])
    expression = read_expression(claim)
    return None if isinstance(expression, Flaw) else value_of(expression)
