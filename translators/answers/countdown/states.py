"""Reads lists of states as in AutoToS (Cao et al. 2024): each lists the numbers left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice, permutations
from operator import itemgetter
from typing import Final, NamedTuple

from pddl_pipeline.arithmetic.operations import SIGNS, combine, is_defined
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.number import Number
from pddl_pipeline.translators.answers.countdown.board import MOST_STEPS, Board, DescribedOperation
from pddl_pipeline.translators.answers.countdown.operations import distance, shown
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.lines import AnswerLine

CLOSE: Final = Fraction(1, 1000)
"""Allowed distance of a float from the exact number, as in AutoToS's own check."""
_LIST: Final = re.compile(r"\[([^\[\]]*)\]")
_AROUND: Final = re.compile(r"[\[\]\s,;.>→-]*")
_FLOAT: Final = re.compile(r"-?\d{1,30}(?:\.\d{0,30})?(?:[eE]-?\d{1,2})?", re.ASCII)
_INTEGER: Final = re.compile(r"-?\d{1,4300}", re.ASCII)


class NumberState(NamedTuple):
    """A list of numbers in an answer."""

    piece: AnswerLine
    text: str
    numbers: list[Number]


class _Move(NamedTuple):
    action: str
    first: Number
    second: Number
    result: Number


def read_states(pieces: Sequence[AnswerLine], start: Start) -> DescribedOperation | None:
    """Read the operations between an answer's states; return None without a list of numbers."""
    most = len(start.numbers)
    every = (state for piece in pieces for state in _states_in(piece, most))
    states = list(islice(every, MOST_STEPS))
    if not states:
        return None
    board, notes = Board(start), dict[int, str]()
    numbers: list[Number] = [*start.numbers.values()]
    first = _matching(numbers, states[0].numbers)
    if first == ([], []):
        notes[states[0].piece.number] = "the state at the start"
        if len(numbers) == 1:
            board.result, board.piece = board.take_value(numbers[0]), states[0].piece
        states = states[1:]
    for state in states:
        notes.pop(state.piece.number, None)
        move = _move(numbers, state.numbers)
        if move is None:
            found = f"[{state.text[:60]}] does not follow from {_list(numbers)} by one operation"
            board.fault(ErrorKind.UNKNOWN_NUMBER, found, state.piece)
            break
        _make(move, numbers, board, state.piece)
    return DescribedOperation(board, notes)


def _states_in(piece: AnswerLine, most: int) -> list[NumberState]:
    """Return the lists of a line that contains only lists."""
    found = list(_LIST.finditer(piece.text)) if "]" in piece.text else []
    if not found or not _AROUND.fullmatch(_LIST.sub("", piece.text)):
        return []
    states = [_state(piece, match[1], most) for match in found]
    return [state for state in states if state is not None]


def _state(piece: AnswerLine, text: str, most: int) -> NumberState | None:
    """Return the state of a list, without numbers if it is too long; None for other lists."""
    words = text.split(",", most + 1)
    if len(words) > most:
        return NumberState(piece, text, [])
    numbers = [_number(word.strip()) for word in words]
    known = [number for number in numbers if number is not None]
    return NumberState(piece, text, known) if len(known) == len(numbers) else None


def _number(word: str) -> Number | None:
    if _INTEGER.fullmatch(word):
        return int(word)
    return Fraction(word) if _FLOAT.fullmatch(word) else None


def _matching(left: list[Number], stated: list[Number]) -> tuple[list[Number], list[Number]]:
    """Pair equal numbers, and floats with close numbers; return the unpaired ones of both lists."""
    rest, new = list(left), []
    for number in stated:
        nearest = min(rest, key=lambda other: distance(other, number), default=None)
        if nearest is not None and distance(nearest, number) <= CLOSE:
            rest.remove(nearest)
        else:
            new.append(number)
    return rest, new


def _move(left: list[Number], stated: list[Number]) -> _Move | None:
    """Return the operation that leads from one state to the next, or None."""
    gone, new = _matching(left, stated)
    if len(gone) == 2 and len(new) == 1:
        return _operation([(x, y) for x, y in permutations(gone)], new[0])
    if len(gone) == 1 and not new:
        # The result equals one of the numbers: 8 * 1 leaves 8.
        others = list(left)
        others.remove(gone[0])
        for other in others:
            move = _operation([(other, gone[0]), (gone[0], other)], other)
            if move is not None:
                return move
    return None


def _operation(pairs: list[tuple[Number, Number]], result: Number) -> _Move | None:
    """Return the operation on one of the pairs whose value is closest to a number, or None."""
    close = [
        (distance(value, result), _Move(action, x, y, value))
        for x, y in pairs
        for action in SIGNS
        if is_defined(action, y) and distance(value := combine(action, x, y), result) <= CLOSE
    ]
    return min(close, key=itemgetter(0))[1] if close else None


def _make(move: _Move, numbers: list[Number], board: Board, piece: AnswerLine) -> None:
    action, first, second, result = move
    x, y = board.take_value(first), board.take_value(second)
    if x is not None and y is not None:
        board.put(board.combine(action, x, y, piece))
    numbers.remove(first)
    numbers.remove(second)
    numbers.append(result)


def _list(numbers: list[Number]) -> str:
    return f"[{', '.join(map(shown, numbers))}]"[:80]
