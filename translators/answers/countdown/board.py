"""The numbers of a countdown task while an answer combines them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pddl_pipeline.arithmetic.operations import combine
from pddl_pipeline.model.answer import Fault
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.countdown.operations import (
    Operand,
    Operation,
    cut,
    number_of,
    turned_around,
    worked_out,
)
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.lines import AnswerLine

MOST_STEPS: Final = 1000
"""Maximum number of steps or states that are read; a task of 50 numbers needs 50."""
_FOREIGN_DIGITS: Final = 1000
"""Results are computed only if the numbers not on the board have at most this many digits."""
_LONGEST_JOINED: Final = 20
_ORDINARY: Final = 18
"""Maximum number of digits of a number that is read without further checks."""


class Board:
    """The numbers left, and the operations so far. Objects of equal value are interchangeable."""

    def __init__(self, start: Start) -> None:
        self.left: dict[Number, tuple[Operand, ...]] = dict(start.places)
        self.operations: list[Operation] = []
        self.faults: list[Fault] = []
        self.used: set[str] = set()
        self.result: Operand | None = None
        """The last result."""
        self.piece: AnswerLine | None = None
        """The piece with the last result."""
        self.stated: tuple[str, int] | None = None
        """The message about a false value that is stated for the expression, and its line."""
        self.turned = False
        """Whether a sign was eliminated, so that steps differ in order from the answer."""
        self._foreign = 0

    @property
    def computes(self) -> bool:
        """Whether results are still computed: invented numbers have few digits in total."""
        return self._foreign <= _FOREIGN_DIGITS

    def has(self, value: Number) -> bool:
        """Return whether a number is left."""
        return bool(self.left.get(value))

    def take(self, word: str, piece: AnswerLine) -> Operand:
        """Take a number as written; add a fault if it is not left."""
        value = number_of(word)
        found = None if value is None else self.take_value(value)
        return found or self._unknown(word, value, piece)

    def take_all(self, words: Sequence[str], piece: AnswerLine) -> list[Operand]:
        """Take the numbers of an expression, in order; see `take`."""
        left, used = self.left, self.used
        found: list[Operand] = []
        for word in words:
            value = int(word) if len(word) <= _ORDINARY and word.isdecimal() else None
            operands = None if value is None else left.get(value)
            if not operands or value is None:
                found.append(self.take(word, piece))
                continue
            operand = operands[0]
            left[value] = operands[1:]
            if operand.name is not None:
                used.add(operand.name)
            found.append(operand)
        return found

    def take_value(self, value: Number) -> Operand | None:
        """Take a number if it is left, else return None."""
        operands = self.left.get(value)
        if not operands:
            return None
        self.left[value] = operands[1:]
        if operands[0].name is not None:
            self.used.add(operands[0].name)
        return operands[0]

    def _unknown(self, word: str, value: Number | None, piece: AnswerLine) -> Operand:
        message = f"{cut(word)}{self._looks(word)} is not among the numbers left"
        self.fault(ErrorKind.UNKNOWN_NUMBER, message, piece)
        self._foreign += len(word)
        return Operand(value if self.computes else None, None)

    def _looks(self, word: str) -> str:
        """Return a description of a number that is not left, for the message, or nothing."""
        if "." in word:
            return ", a decimal number,"
        for at in range(1, len(word) if len(word) <= _LONGEST_JOINED else 0):
            parts = word[:at], word[at:]
            if all(part.isdigit() and self.has(int(part)) for part in parts):
                return f", the digits of {parts[0]} and {parts[1]} together,"
        return ""

    def fault(self, slug: ErrorKind, message: str, piece: AnswerLine) -> None:
        """Add a fault."""
        self.faults.append(Fault(slug, message, piece.number))

    def combine(self, action: str, first: Operand, second: Operand, piece: AnswerLine) -> Operand:
        """Apply an operation; the first number's object holds the result.

        Signs before numbers are eliminated exactly: -5 + 8 becomes 8 - 5.
        """
        (x, name, one), (y, _, other) = first, second
        if one or other:
            return self._combine_signed(action, first, second, piece)
        value = None
        if x is not None and y is not None and (y or action != "divide"):
            value = combine(action, x, y)
        self.operations.append(Operation(action, first, second, value, piece))
        result = Operand(value, name)
        self.result, self.piece = result, piece
        return result

    def _combine_signed(
        self, action: str, first: Operand, second: Operand, piece: AnswerLine
    ) -> Operand:
        self.turned = True
        action, first, second, turned = worked_out(action, first, second)
        result = self.combine(action, first, second, piece)
        if turned:
            self.result = result = turned_around(result)
        return result

    def put(self, operand: Operand) -> None:
        """Add a result to the numbers left."""
        if operand.value is not None:
            self.left[operand.value] = (*self.left.get(operand.value, ()), operand)


class DescribedOperation(NamedTuple):
    """The operations that an answer describes."""

    board: Board
    """The operations, and the faults found while reading them."""
    notes: dict[int, str]
    """By index of a line that was read and has no operation of the answer, the reason."""
    given: tuple[tuple[Step, AnswerLine], ...] = ()
    """The steps, if the answer has them as PDDL."""
    flaw: str | None = None
    """Why the PDDL steps are not a plan under any rules."""
