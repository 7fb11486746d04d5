"""Applies the statements of an answer to the numbers of a task, and judges the operations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from pddl_pipeline.answers.countdown.expression import Flaw, number_of, read_expression, worked_out
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

PAPER: Final = Rules()
_STARTS: Final[WeakKeyDictionary[Task, tuple[Instance[Any], Start | None]]] = WeakKeyDictionary()
_NEGATIVES: Final = Rules(**PYTHON_RULES)


class Operand(NamedTuple):
    """A number that an operation combines."""

    value: Number | None
    """None if it is unknown: after a division by 0, or if it is too large."""
    name: str | None
    """Name of its object; None if it is not on the board."""
    turned: bool = False
    """Whether the object holds minus the value, because of a sign before it."""


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
    slack: dict[str, Fraction]
    """Allowed difference from the target, by name of the rules."""


def start_of(instance: Instance[Any], task: Task) -> Start | None:
    """Return the prepared task; None for PDDL that only has the actions of countdown."""
    known = _STARTS.get(task)
    if known is None or known[0] is not instance:
        known = _STARTS[task] = instance, _start(instance, task)
    return known[1]


def _start(instance: Instance[Any], task: Task) -> Start | None:
    form, actions = own_record(instance), their_names(instance)
    if not isinstance(form, Countdown):
        return None
    numbers = dict(zip(objects_of(task, "num"), form.numbers, strict=True))
    places: dict[Number, tuple[Operand, ...]] = {}
    for name, value in numbers.items():
        places[value] = (*places.get(value, ()), Operand(value, name))
    own = instance.extras.get("rules")
    others = {"negatives": _NEGATIVES} if own is None else {"source": msgspec.convert(own, Rules)}
    rules = {"paper": PAPER, **others}
    slack = {name: Fraction(Decimal(of.tolerance)) for name, of in rules.items()}
    judged = "paper" if own is None else "source"
    return Start(numbers, places, form.target, actions, judged, rules, slack)


MOST_STEPS: Final = 1000
"""Maximum number of steps or states that are read; a task of 50 numbers needs 50."""
_FOREIGN_DIGITS: Final = 1000
"""Results are computed only if the numbers not on the board have at most this many digits."""
_MOST_CLAIMS: Final = 20
_OPERAND: Final = r"\(?\s{0,3}(-?\s?\d+(?:/\d+|\.\d+)?)\s{0,3}\)?"
_STEP: Final = re.compile(rf"\s*{_OPERAND}\s*([-+*/])\s*{_OPERAND}\s*", re.ASCII)
# In 8/3/2 the first fraction may be 8/3, or the second 3/2.
_BY_FRACTION: Final = re.compile(rf"\s*\(?(-?\d+)\)?\s*(/)\s*{_OPERAND}\s*", re.ASCII)
_RIGHT: Final = Ruling(right=True)
_WHOSE: Final = {
    "paper": "the paper's rules",
    "source": "the source's rules",
    "negatives": "rules with negative numbers",
}


class Claim(NamedTuple):
    """What stands behind an equals sign."""

    text: str
    rounded: bool = False
    """Whether the sign is ``≈``."""


class Statement(NamedTuple):
    """An expression in an answer, with the values that the answer states for it."""

    line: int
    text: str
    """The expression."""
    claims: tuple[Claim, ...] = ()
    start: int = 0
    end: int = 0
    """Where it stands in the text."""

    @property
    def is_step(self) -> bool:
        """Whether it is one operation on two numbers."""
        return _STEP.fullmatch(self.text) is not None

    def false_claim(self, value: Number | None) -> str | None:
        """Return the message about the first stated value that is false, or None."""
        for claim in self.claims[:_MOST_CLAIMS]:
            if value is not None and claim.text and not _is_true(claim, value):
                return f"{self.text.strip()[:60]} is {shown(value)}, not {claim.text[:40]}"
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
        self.used: set[str] = set()
        self.result: Operand | None = None
        """The last result."""
        self.line = 0
        """The line with the last result."""
        self.stated: Fault | None = None
        """The fault of a false value that is stated for the expression."""
        self.turned = False
        """Whether a sign was eliminated, so that steps differ in order from the answer."""
        self.notes: dict[int, str] = {}
        """By line, what it is if it has no step."""
        self.given: tuple[Step, ...] = ()
        """The steps, if the answer has them as PDDL."""
        self.flaw: str | None = None
        """Why the PDDL steps are not a plan under any rules."""
        self._foreign = 0
        self._played: set[tuple[str, str, str]] = set()

    @property
    def whole(self) -> bool:
        """Whether every number is used once, without a mistake in the text."""
        complete = len(self.operations) + 1 == len(self.used) == len(self.start.numbers)
        return complete and not self.faults and self.flaw is None

    def take(self, word: str, line: int) -> Operand:
        """Take a number as written; add a fault if it is not left."""
        value = number_of(word)
        operands = None if value is None else self.left.get(value)
        if operands and value is not None:
            self.left[value] = operands[1:]
            self.used |= {operands[0].name} if operands[0].name else set()
            return operands[0]
        self._foreign += len(word)
        shown = word if len(word) <= 40 else f"a number of {len(word)} digits"
        message = f"{shown} is not among the numbers left"
        self.fault(ErrorKind.UNKNOWN_NUMBER, message, line)
        return Operand(value if self._foreign <= _FOREIGN_DIGITS else None, None)

    def fault(self, slug: ErrorKind, message: str, line: int) -> None:
        """Add a fault."""
        self.faults.append(Fault(slug, message, line))

    def combine(self, action: str, first: Operand, second: Operand, line: int) -> Operand:
        """Apply an operation; the first number's object holds the result."""
        x, y = first.value, second.value
        known = x is not None and y is not None and (y or action != "divide")
        value = combine(action, x, y) if known and x is not None and y is not None else None
        self.operations.append(Operation(action, first, second, value, line))
        self.result, self.line = Operand(value, first.name), line
        return self.result

    def put(self, operand: Operand) -> None:
        """Add a result to the numbers left."""
        if operand.turned:
            reason = "a step with a minus sign before all of it is not read"
            self.fault(ErrorKind.BAD_FORMAT, reason, self.line)
        if operand.value is not None:
            self.left[operand.value] = (*self.left.get(operand.value, ()), operand)

    def run(self, statement: Statement) -> Operand | None:
        """Apply all operations of an expression; add a fault if it is none."""
        expression, line = read_expression(statement.text), statement.line
        if isinstance(expression, Flaw):
            self.fault(*expression, line)
            self.notes[line] = expression.message
            return None
        numbers, program = expression
        operands = [self.take(word, line) for word in numbers]
        for action, first, second in program.operations:
            operands[first] = self.combine(action, operands[first], operands[second], line)
        self.turned |= program.turned
        value, name, _ = operands[program.result]
        turned = program.negative and value is not None
        self.result = Operand(-value if turned and value else value, name, turned)
        self.line = line
        return self.result

    def play(self, step: Statement) -> None:
        """Apply one step; one that is repeated, though its numbers are used up, is skipped."""
        operands, line = self._operands(step.text), step.line
        if operands is None:
            result = self.run(step)
        else:
            action, first, second = operands
            x, y = number_of(first), number_of(second)
            both = x is not None and y is not None and self.left.get(x) and self.left.get(y)
            if operands in self._played and not (both and (x != y or len(self.left[x or 0]) > 1)):
                self.notes.setdefault(line, "a repetition")
                return
            self._played.add(operands)
            result = self.combine(action, self.take(first, line), self.take(second, line), line)
        if result is not None:
            false = step.false_claim(result.value)
            if false is not None:
                self.fault(ErrorKind.UNKNOWN_NUMBER, false, line)
            self.put(result)

    def _operands(self, text: str) -> tuple[str, str, str] | None:
        """Return the action and operands if a step is one operation on numbers left, else None.

        ``8/3`` and ``-3`` are numbers if these are left, and expressions otherwise.
        """
        for match in filter(None, (_STEP.fullmatch(text), _BY_FRACTION.fullmatch(text))):
            first, sign, second = match.groups()
            if all(word.isdigit() or self._is_left(word) for word in (first, second)):
                return ACTIONS[sign], first, second
        return None

    def _is_left(self, word: str) -> bool:
        """Return whether an operand is a number that is left; 0/4 is a division, not a number."""
        value = number_of(word)
        whole = isinstance(value, int) and "/" in word
        return value is not None and not whole and bool(self.left.get(value))


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
    if len(steps) > MOST_STEPS:
        message = f"found {len(steps)} steps, only the first {MOST_STEPS} are read"
        board.fault(ErrorKind.BAD_FORMAT, message, steps[MOST_STEPS].line)
    for step in steps[:MOST_STEPS]:
        board.play(step)
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


def _is_true(claim: Claim, value: Number) -> bool:
    """Return whether a stated value is right.

    Behind ``≈``, decimals may be rounded or cut off. An expression with decimals in a chain is
    rounded itself, so it is not checked.
    """
    word = claim.text.strip("() ")
    stated, decimals = number_of(word), word.partition(".")[2]
    if stated is None:
        worked = worked_out(claim.text)
        return "." in word or bool(worked and worked.value == value)
    near = claim.rounded and abs(Fraction(stated) - value) < Fraction(1, 10 ** len(decimals))
    return near or stated == value


class Judged(NamedTuple):
    """The faults of an answer under the rules that count, and the rulings under all rules."""

    faults: tuple[Fault, ...]
    rulings: dict[str, Ruling]

    def right(self, start: Start) -> bool:
        """Return whether the answer is right by the rules that count."""
        return self.rulings[start.judged].right and not self.faults


def judged(board: Board) -> Judged:
    """Judge the operations of an answer. Rulings have the first reason only."""
    start, stated = board.start, () if board.stated is None else (board.stated,)
    usual = all(type(each.value) is int and each.value >= 0 for each in board.operations)
    if usual and board.whole and board.result and board.result.value == start.target:
        return Judged(stated, dict.fromkeys(start.rules, _RIGHT))
    faults = {name: [*board.faults, *_missed(board, name)] for name in start.rules}
    rulings = {name: _ruling(board, faults[name], name) for name in start.rules}
    right = [_WHOSE[name] for name, ruling in rulings.items() if ruling.right]
    if right:
        rulings = {
            name: ruling if ruling.right
            else ruling._replace(reason=f"{ruling.reason}; right under {right[0]}")
            for name, ruling in rulings.items()
        }  # fmt: skip
    return Judged((*faults[start.judged], *stated), rulings)


def _ruling(board: Board, faults: list[Fault], name: str) -> Ruling:
    for step, each in enumerate(board.operations, start=1):
        # No rules forbid other operations.
        if not (type(each.value) is int and each.value >= 0 and each.action != "divide"):
            broken = each.breaks(board.start.rules[name])
            if broken is not None:
                terms = f"{shown(each.first.value)} {SIGNS[each.action]} {shown(each.second.value)}"
                reason = f"{terms} {broken}, which {_WHOSE[name]} do not allow"
                return Ruling(right=False, reason=reason, step=step)
    if faults or board.flaw:
        return Ruling(right=False, reason=faults[0].message if faults else board.flaw)
    return _RIGHT


def _missed(board: Board, rules: str) -> list[Fault]:
    """Return the faults of an answer as a whole; no faults if it has no result but other faults."""
    numbers, result, count = board.start.numbers, board.result, len(board.operations)
    if result is None and (board.faults or board.flaw):
        return []
    found: list[Fault] = []
    counts = f"operations: {count}, expected {len(numbers) - 1}"
    if count >= len(numbers):
        found.append(Fault(ErrorKind.MORE_STEPS, counts))
    if board.start.rules[rules].all_used:
        if count < len(numbers) - 1:
            found.append(Fault(ErrorKind.FEWER_STEPS, counts))
        unused = [str(numbers[name]) for name in numbers if name not in board.used]
        if unused:
            message = f"not used: {', '.join(unused)[:80]}"
            found.append(Fault(ErrorKind.UNUSED_NUMBER, message))
    value = None if result is None else result.value
    if value is not None and not is_target(value, board.start, rules):
        message = f"the result is {shown(value)}, not {board.start.target}"
        found.append(Fault(ErrorKind.NOT_TARGET, message))
    return found


def is_target(value: Number, start: Start, rules: str) -> bool:
    """Return whether a result is the target, within the difference that rules allow."""
    slack = start.slack[rules]
    return value == start.target or bool(slack and abs(Fraction(value) - start.target) <= slack)
