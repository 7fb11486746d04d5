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
from pddl_pipeline.translators.answers.countdown.reader import (
    MOST_LINES,
    read_lines,
    tells_something,
    usual_answer,
)
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
    part = usual_answer(text)
    if part is not None:
        simple = simple_statement(part.lines[0])
        usual = None if simple is None else _of_expression(simple, start)
        if usual is not None or (simple is None and not tells_something(part)):
            return usual
    lines = lines_of(text)
    if not lines or len(lines) > MOST_LINES:
        return None
    if len(lines) == 1 and (simple := simple_statement(lines[0])) is not None:
        step = bool(simple.claims) and is_step(simple.text)
        alone = None if step else _of_expression(simple, start)
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
    """Return how far an expression gets as the whole answer, without the board and the faults.

    Expressions with signs, decimals or one number, and those that use a part of the numbers where
    that is allowed, give None.
    """
    expression = read_expression(simple.text)
    if isinstance(expression, Flaw) or expression.program.turned:
        return None
    if not all(map(str.isdigit, expression.numbers)) or len(expression.numbers) < 2:
        return None
    numbers = [int(number) for number in expression.numbers]
    rules, operations = start.rules[start.judged], expression.program.operations
    complete = sorted(numbers) == sorted(start.numbers.values())
    owned = None if complete else _owned(numbers, start)
    if owned is not None and all(owned) and not rules.all_used:
        return None
    possible, result = _computed(expression.program, numbers, owned, rules)
    steps = len(operations) + 1
    reached = complete and result is not None and _is_target(result, start)
    right = reached and possible == len(operations) and false_claim(simple, result) is None
    executed = steps if right else possible
    return PlanProgress(steps, executed, float(right), reached=right, cost=steps)


def _owned(numbers: Sequence[int], start: Start) -> list[bool]:
    """Return by number of an expression whether it is one of the task that no earlier one used."""
    left = list(start.numbers.values())
    owned = list[bool]()
    for number in numbers:
        owned.append(number in left)
        if owned[-1]:
            left.remove(number)
    return owned


def _computed(
    program: Program, numbers: Sequence[Number], owned: list[bool] | None, rules: Rules
) -> tuple[int, Number | None]:
    """Return the number of operations before the first that is not possible, and the result.

    Args:
        program: the operations.
        numbers: their numbers.
        owned: by number, whether it is one of the task; None if all are. It is modified.
        rules: the rules that operations may break.
    """
    values = list[Number | None](numbers)
    for step, (action, first, second) in enumerate(program.operations):
        if owned is not None and not (owned[first] and owned[second]):
            return step, None
        x, y, value = values[first], values[second], None
        if x is not None and y is not None and is_defined(action, y):
            value = combine(action, x, y)
        values[first] = value
        # No rules forbid other operations with such a result.
        if not (type(value) is int and value >= 0 and action != "divide"):
            operation = Operation(action, Operand(x, None), Operand(y, None), value, _NOWHERE)
            if rule_break(operation, rules) is not None:
                return step, None
    return len(program.operations), values[program.result]


def _is_target(result: Number, start: Start) -> bool:
    slack = start.slack[start.judged]
    return result == start.target or (bool(slack) and distance(result, start.target) <= slack)
