"""Applies the statements of an answer to the numbers of a task, and judges the operations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from pddl_pipeline.answers.countdown.expression import number_of, read_expression, worked_out
from pddl_pipeline.model.answer import Fault, Ruling
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.operations import ACTIONS, SIGNS, combine, operand_text
from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.domains.countdown_rules import PYTHON_RULES, Rules
from pddl_pipeline.translators.given_pddl import own_record, their_names
from pddl_pipeline.translators.problems import objects_of
from pddl_pipeline.validation.task import Task

_STARTS: Final[WeakKeyDictionary[Task, tuple[Instance[Any], Start | None]]] = WeakKeyDictionary()


class Operand(NamedTuple):
    """A number that an operation combines."""

    value: Number | None
    """None if it is unknown: after a division by 0, or if it is too large."""
    name: str | None
    """Name of its object; None if it is not on the board, or is minus an object's value."""


class Start(NamedTuple):
    """A countdown task, prepared for reading answers."""

    numbers: dict[str, int]
    """Value by name of the object."""
    places: dict[Number, tuple[Operand, ...]]
    """The objects by value."""
    target: int
    """The number to reach."""
    actions: dict[str, str]
    """The task's names of actions that differ from this project's names."""
    judged: str
    """The rules by which answers count: ``source`` if the record has rules, else ``paper``."""
    rules: dict[str, Rules]
    """All rules under which answers are judged, by name; ``paper`` first."""


def start_of(instance: Instance[Any], task: Task) -> Start | None:
    """Return the prepared task; None for PDDL that only has the actions of countdown."""
    known = _STARTS.get(task)
    if known is None or known[0] is not instance:
        known = _STARTS[task] = instance, _start(instance, task)
    return known[1]


_OWN_RULES: Final = {"paper": Rules(), "negatives": msgspec.convert(PYTHON_RULES, Rules)}


def _start(instance: Instance[Any], task: Task) -> Start | None:
    form, actions = own_record(instance), their_names(instance)
    if not isinstance(form, Countdown):
        return None
    names = form.board if form is instance.record else objects_of(task, "num")
    numbers = dict(zip(names, form.numbers, strict=True))
    places: dict[Number, tuple[Operand, ...]] = {}
    for name, value in numbers.items():
        places[value] = (*places.get(value, ()), Operand(value, name))
    own = instance.extras.get("rules")
    if own is None:
        return Start(numbers, places, form.target, actions, "paper", _OWN_RULES)
    rules = {"paper": Rules(), "source": msgspec.convert(own, Rules)}
    return Start(numbers, places, form.target, actions, "source", rules)


UNREADABLE: Final = frozenset((ErrorKind.BAD_FORMAT, ErrorKind.BAD_OPERATOR))
"""Faults of a text that is not read; what else it says does not count."""
MOST_STEPS: Final = 1000
"""Maximum number of steps or states that are read; a task of 50 numbers needs 50."""
_MOST_FOREIGN, _LONGEST_FOREIGN = 20, 9
"""Maximum number, and length, of numbers not on the board that are computed with."""
_MOST_CLAIMS: Final = 20
_OPERAND: Final = r"\(?\s{0,3}(-?\s?\d+(?:/\d+|\.\d+)?)\s{0,3}\)?"
_STEP: Final = re.compile(rf"\s*{_OPERAND}\s*([-+*/])\s*{_OPERAND}\s*", re.ASCII)
_RIGHT: Final = Ruling(right=True)
_WHOSE: Final = {
    "paper": "the paper's rules",
    "source": "the source's rules",
    "negatives": "rules with negative numbers",
}


class Statement(NamedTuple):
    """An expression in an answer, with the values that the answer states for it."""

    line: int
    text: str
    """The expression."""
    claims: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    """Where it stands in the text."""

    def false_claim(self, value: Number | None) -> str | None:
        """Return the message about the first stated value that is false, or None."""
        for claim in self.claims[:_MOST_CLAIMS] if value is not None else ():
            worked = worked_out(claim)
            if worked is None or worked.value != value:
                return f"{self.text.strip()[:60]} is {shown(value)}, not {claim[:40]}"
        return None


class Operation(NamedTuple):
    """One operation of an answer: the action, its operands, and its result."""

    action: str
    first: Operand
    second: Operand
    value: Number | None
    """The result; None if it is unknown."""
    line: int = 0

    def breaks(self, rules: Rules) -> str | None:
        """Return how the operation breaks rules, or None."""
        value, divisor = self.value, self.second.value
        divides = self.action == "divide" and divisor is not None
        whole, sign = isinstance(value, int), None if divisor is None else divisor.numerator
        broken = (
            ("divides by 0", divides and not divisor),
            ("divides by a negative number",
             divides and rules.division == "positive" and sign is not None and sign < 0),
            ("leaves a remainder", divides and rules.division == "exact" and not whole),
            ("is negative", not rules.negatives and value is not None and value.numerator < 0),
            ("is not a whole number", not (whole or rules.fractions or value is None)),
        )  # fmt: skip
        return next((reason for reason, holds in broken if holds), None)


class Board:
    """The numbers left, and the operations so far. Objects of equal value are interchangeable."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.left: dict[Number, tuple[Operand, ...]] = dict(start.places)
        self.operations: list[Operation] = []
        self.faults: list[Fault] = []
        self.result: Operand | None = None
        """The last result."""
        self.line = 0
        """The line with the last result."""
        self.stated: Fault | None = None
        """The fault of a false value that is stated for the expression."""
        self.given: tuple[Step, ...] = ()
        """The steps, if the answer has them as PDDL."""
        self.flaw: str | None = None
        """Why the PDDL steps are not a plan under any rules."""

    def allowed(self, name: str) -> int:
        """Return the number of operations before the first that rules do not allow."""
        rules = self.start.rules[name]
        for at, each in enumerate(self.operations):
            # No rules forbid other operations.
            usual = type(each.value) is int and each.value >= 0 and each.action != "divide"
            if not usual and each.breaks(rules) is not None:
                return at
        return len(self.operations)

    def reaches(self, name: str) -> bool:
        """Return whether the operations are right by rules, whatever values are stated."""
        count, most = len(self.operations), len(self.start.numbers) - 1
        return (
            not (self.faults or self.flaw)
            and (count == most or (count < most and not self.start.rules[name].all_used))
            and self.is_target(name)
            and self.allowed(name) == count
        )

    def is_target(self, name: str) -> bool:
        """Return whether the result is the target, within the difference that rules allow."""
        value = None if self.result is None else self.result.value
        if value is None or value == self.start.target:
            return value is not None
        tolerance = self.start.rules[name].tolerance
        return tolerance != "0" and abs(Fraction(value) - self.start.target) <= Fraction(tolerance)

    @property
    def right(self) -> bool:
        """Whether the answer is right by the rules that count."""
        return self.stated is None and self.reaches(self.start.judged)

    def take(self, word: str, line: int) -> Operand:
        """Take a number as written; add a fault if it is not left."""
        value = number_of(word)
        operands = () if value is None else self.left.get(value)
        if operands and value is not None:
            self.left[value] = operands[1:]
            return operands[0]
        self.fault(ErrorKind.UNKNOWN_NUMBER, f"{word[:40]} is not among the numbers left", line)
        known = len(word) <= _LONGEST_FOREIGN and len(self.faults) <= _MOST_FOREIGN
        return Operand(value if known else None, None)

    def fault(self, slug: ErrorKind, message: str, line: int) -> None:
        """Add a fault."""
        self.faults.append(Fault(slug, message, line))

    def combine(self, action: str, first: Operand, second: Operand, line: int) -> Operand:
        """Apply an operation; the first number's object holds the result."""
        x, y = first.value, second.value
        value = None
        if x is not None and y is not None and (y or action != "divide"):
            value = combine(action, x, y)
        self.operations.append(Operation(action, first, second, value, line))
        return Operand(value, first.name)

    def run(self, statement: Statement) -> Operand | None:
        """Apply all operations of an expression; add a fault if it is none."""
        expression, line = read_expression(statement.text), statement.line
        if isinstance(expression, Fault):
            self.faults.append(expression._replace(line=line))
            return None
        words, program = expression
        operands = [self.take(word, line) for word in words]
        for action, first, second in program.operations:
            operands[first] = self.combine(action, operands[first], operands[second], line)
        self.result, self.line = operands[program.result], line
        if program.negative and self.result.value:
            self.result = Operand(-self.result.value, None)
        return self.result

    def play(self, step: Statement) -> None:
        """Apply one step, and put its result among the numbers left."""
        operands, line = self._operands(step.text), step.line
        if operands is None:
            result = self.run(step)
        else:
            action, first, second = operands
            result = self.combine(action, self.take(first, line), self.take(second, line), line)
            self.result, self.line = result, line
        if result is None or result.value is None:
            return
        false = step.false_claim(result.value)
        if false is not None:
            self.fault(ErrorKind.UNKNOWN_NUMBER, false, line)
        elif result.name is None and not self.faults:
            self.fault(
                ErrorKind.BAD_FORMAT, "a step with a minus sign before all of it is not read", line
            )
        self.left[result.value] = (*self.left.get(result.value, ()), result)

    def _operands(self, text: str) -> tuple[str, str, str] | None:
        """Return the action and operands if a step is one operation on numbers left, else None.

        ``8/3`` and ``-3`` are numbers if these are left, and expressions otherwise.
        """
        match = _STEP.fullmatch(text)
        for word in match.group(1, 3) if match else ():
            value = number_of(word)
            division = isinstance(value, int) and "/" in word  # 0/4
            if not word.isdigit() and (value is None or division or not self.left.get(value)):
                return None
        return (ACTIONS[match[2]], match[1], match[3]) if match else None


def alone(statement: Statement, start: Start) -> Board:
    """Read one expression as the whole answer."""
    board = Board(start)
    result = board.run(statement)
    false = statement.false_claim(result.value) if result else None
    if false is not None:
        board.stated = Fault(ErrorKind.FALSE_VALUE, false, statement.line)
    return board


def played(steps: Sequence[Statement], start: Start) -> Board:
    """Read statements as consecutive steps; later steps may use earlier results."""
    board = Board(start)
    for step in steps:
        board.play(step)
        if board.faults and board.faults[-1].slug in UNREADABLE:
            unread_list = Board(start)
            unread_list.faults = board.faults[-1:]
            return unread_list
    return board


def unread(reason: str, line: int, start: Start) -> Board:
    """Return the reading of an answer that cannot be read."""
    board = Board(start)
    board.fault(ErrorKind.BAD_FORMAT, reason, line)
    return board


def shown(value: Number | None) -> str:
    """Return the text of a number for a message."""
    if value is None:
        return "?"
    large = max(abs(value.numerator), value.denominator).bit_length() > 200
    return "a large number" if large else operand_text(value)


def judged(board: Board) -> tuple[tuple[Fault, ...], dict[str, Ruling]]:
    """Return the faults of an answer under the rules that count, and the rulings under all rules.

    Rulings have the first reason only.
    """
    start, stated = board.start, () if board.stated is None else (board.stated,)
    reached = [name for name in start.rules if board.reaches(name)]
    if len(reached) == len(start.rules):
        return stated, dict.fromkeys(reached, _RIGHT)
    faults = {name: [*board.faults, *_missed(board, name)] for name in start.rules}
    also = f"; right under {_WHOSE[reached[0]]}" if reached else ""
    rulings = {
        name: _RIGHT if name in reached else _ruling(board, faults[name], name, also)
        for name in start.rules
    }
    return (*faults[start.judged], *stated), rulings


def _ruling(board: Board, faults: list[Fault], name: str, also: str) -> Ruling:
    """Return why an answer is wrong under rules."""
    step = board.allowed(name)
    if step < len(board.operations):
        each = board.operations[step]
        terms = f"{shown(each.first.value)} {SIGNS[each.action]} {shown(each.second.value)}"
        broken = each.breaks(board.start.rules[name])
        return Ruling(
            right=False,
            reason=f"{terms} {broken}, which {_WHOSE[name]} do not allow{also}",
            step=step + 1,
        )
    told = faults[0].message if faults else board.flaw
    return Ruling(right=False, reason=f"{told}{also}")


def _missed(board: Board, rules: str) -> list[Fault]:
    """Return the faults of an answer as a whole; no faults if it has no result but other faults."""
    numbers, result, count = board.start.numbers, board.result, len(board.operations)
    if result is None and (board.faults or board.flaw):
        return []
    all_used = board.start.rules[rules].all_used
    used = {name for each in board.operations for name in (each.first.name, each.second.name)}
    used |= set() if result is None else {result.name}
    unused = [str(value) for name, value in numbers.items() if all_used and name not in used]
    counts = f"operations: {count}, expected {len(numbers) - 1}"
    value = None if result is None else result.value
    found = (
        (ErrorKind.MORE_STEPS, counts, count >= len(numbers)),
        (ErrorKind.FEWER_STEPS, counts, all_used and count < len(numbers) - 1),
        (ErrorKind.UNUSED_NUMBER, f"not used: {', '.join(unused)[:80]}", unused),
        (
            ErrorKind.NOT_TARGET,
            f"the result is {shown(value)}, not {board.start.target}",
            value is not None and not board.is_target(rules),
        ),
    )
    return [Fault(slug, message) for slug, message, holds in found if holds]
