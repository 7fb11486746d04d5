"""How far a countdown answer gets, judged by the reader's own arithmetic: fast, without PDDL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pddl_pipeline.arithmetic.operations import combine, is_defined
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.translators.answers.countdown.board import DescribedOperation
from pddl_pipeline.translators.answers.countdown.expression import Flaw, Program, read_expression
from pddl_pipeline.translators.answers.countdown.operations import Operand, Operation, distance
from pddl_pipeline.translators.answers.countdown.pieces import simple_statement
from pddl_pipeline.translators.answers.countdown.playing import false_claim, is_step
from pddl_pipeline.translators.answers.countdown.reader import MOST_LINES, read_lines
from pddl_pipeline.translators.answers.countdown.rulings import judged, rule_break
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.countdown.statement import Statement
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.domains.countdown_rules import Rules
from pddl_pipeline.validation.execution import PlanProgress
from pddl_pipeline.validation.task import Task

_NOWHERE: Final = AnswerLine(0, "")
_UNREADABLE: Final = frozenset((ErrorKind.BAD_FORMAT, ErrorKind.BAD_OPERATOR))


def countdown_progress(text: str, start: Start, task: Task) -> PlanProgress | None:
    """Return how far the operations of an answer get; None if the answer cannot be read.

    A step is an operation on two numbers that are left and that the rules of the answer allow; the
    last step is the check of the result. It counts as the only part of the goal.

    Args:
        text: the answer, without a model's thinking.
        start: the prepared task.
        task: the task.
    """
    lines = lines_of(text)
    if not lines or len(lines) > MOST_LINES:
        return None
    if len(lines) == 1 and (simple := simple_statement(lines[0])) is not None:
        alone = _of_expression(simple, start)
        if alone is not None:
            return alone
    described, _ = read_lines(lines, start, task)
    found = judged(described, start)
    if described.flaw is not None and described.given:
        # PDDL with a step that does not exist: the steps before it count.
        return task.progress(Plan(step for step, _ in described.given))._replace(reached=False)
    operations = described.board.operations
    if not operations and any(fault.slug in _UNREADABLE for fault in found.faults):
        return None
    ruling = found.rulings[start.judged]
    right = ruling.right and not found.faults
    steps = len(operations) + 1
    executed = steps if right else _executed(described, ruling.step)
    return PlanProgress(steps, executed, float(right), reached=right, cost=steps)


def _executed(described: DescribedOperation, broken: int | None) -> int:
    """Return the number of operations before the first that is not possible."""
    operations = described.board.operations
    most = len(operations) if broken is None else broken - 1
    for number, operation in enumerate(operations[:most]):
        if operation.first.name is None or operation.second.name is None:
            return number
    return most


def _of_expression(simple: Statement, start: Start) -> PlanProgress | None:
    """Return how far an expression of all numbers gets, as the whole answer; None for any other.

    It is the answer of a model that does not reason, and is read without the board and the faults.
    """
    if simple.claims and is_step(simple.text):
        return None  # a step
    expression = read_expression(simple.text)
    if isinstance(expression, Flaw) or expression.program.turned:
        return None
    if not all(map(str.isdigit, expression.numbers)):
        return None
    numbers = [int(number) for number in expression.numbers]
    if len(numbers) == 1 or sorted(numbers) != sorted(start.numbers.values()):
        return None
    operations = expression.program.operations
    broken, result = _computed(expression.program, numbers, start.rules[start.judged])
    reached = result is not None and _is_target(result, start)
    right = broken is None and reached and false_claim(simple, result) is None
    steps = len(operations) + 1
    executed = steps if right else len(operations) if broken is None else broken
    return PlanProgress(steps, executed, float(right), reached=right, cost=steps)


def _computed(
    program: Program, numbers: Sequence[Number], rules: Rules
) -> tuple[int | None, Number | None]:
    """Return the index of the first operation that breaks rules, and the result, if any."""
    values, broken = list[Number | None](numbers), None
    for step, (action, first, second) in enumerate(program.operations):
        x, y, value = values[first], values[second], None
        if x is not None and y is not None and is_defined(action, y):
            value = combine(action, x, y)
        values[first] = value
        # No rules forbid other operations with such a result.
        if broken is None and not (type(value) is int and value >= 0 and action != "divide"):
            operation = Operation(action, Operand(x, None), Operand(y, None), value, _NOWHERE)
            broken = None if rule_break(operation, rules) is None else step
    return broken, values[program.result]


def _is_target(result: Number, start: Start) -> bool:
    slack = start.slack[start.judged]
    return result == start.target or (bool(slack) and distance(result, start.target) <= slack)
