"""How far a countdown answer gets, judged by the reader's own arithmetic: fast, without PDDL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pddl_pipeline.answers.countdown.expression import Flaw, Program, read_expression
from pddl_pipeline.answers.countdown.reader import read_lines, simple_statement, usual_line
from pddl_pipeline.answers.countdown.steps import (
    Operand,
    Operation,
    Start,
    Statement,
    is_target,
    judged,
)
from pddl_pipeline.answers.lines import lines_of
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.operations import combine, is_defined
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.translators.domains.countdown_rules import Rules
from pddl_pipeline.validation.execution import PlanProgress
from pddl_pipeline.validation.task import Task

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
    line = usual_line(text)
    lines = lines_of(text) if line is None else [line]
    if not lines:
        return None
    simple = simple_statement(lines[0]) if len(lines) == 1 else None
    if simple and (line is not None or not (simple.claims and simple.is_step)):
        found = _of_expression(simple, start)
        if found is not None:
            return found
    board, _ = read_lines(text, lines if line is None else lines_of(text), start, task)
    judgement = judged(board)
    if board.flaw is not None and board.given:
        # PDDL with a step that does not exist: the steps before it count.
        return task.progress(Plan(board.given))._replace(reached=False)
    if not board.operations and any(fault.slug in _UNREADABLE for fault in judgement.faults):
        return None
    ruling, right = judgement.rulings[start.judged], judgement.right(start)
    most = len(board.operations) if ruling.step is None else ruling.step - 1
    known = [each.first.name and each.second.name for each in board.operations[:most]]
    executed = known.index(None) if None in known else most
    steps = len(board.operations) + 1
    return PlanProgress(
        steps, steps if right else executed, float(right), reached=right, cost=steps
    )


def _of_expression(simple: Statement, start: Start) -> PlanProgress | None:
    """Return how far an expression gets as the whole answer, without the board and the faults.

    Expressions with signs, decimals or one number, and those that use a part of the numbers where
    that is allowed, give None.
    """
    expression, rules = read_expression(simple.text), start.rules[start.judged]
    if isinstance(expression, Flaw) or expression.program.turned:
        return None
    if not all(map(str.isdigit, expression.numbers)) or len(expression.numbers) < 2:
        return None
    numbers, left = [int(number) for number in expression.numbers], list(start.numbers.values())
    complete = sorted(numbers) == sorted(left)
    owned = [complete] * len(numbers)
    for at, number in enumerate(() if complete else numbers):
        owned[at] = number in left
        if owned[at]:
            left.remove(number)
    if all(owned) and not complete and not rules.all_used:
        return None
    possible, result = _computed(expression.program, numbers, owned, rules)
    steps = len(expression.program.operations) + 1
    reached = complete and result is not None and is_target(result, start, start.judged)
    right = reached and possible == steps - 1 and simple.false_claim(result) is None
    return PlanProgress(
        steps, steps if right else possible, float(right), reached=right, cost=steps
    )


def _computed(
    program: Program, numbers: Sequence[Number], owned: Sequence[bool], rules: Rules
) -> tuple[int, Number | None]:
    """Return the number of operations before the first that is not possible, and the result."""
    values = list[Number | None](numbers)
    for step, (action, first, second) in enumerate(program.operations):
        if not (owned[first] and owned[second]):
            return step, None
        x, y = values[first], values[second]
        known = x is not None and y is not None and is_defined(action, y)
        value = combine(action, x, y) if known and x is not None and y is not None else None
        values[first] = value
        # No rules forbid other operations with such a result.
        if not (type(value) is int and value >= 0 and action != "divide"):
            operation = Operation(action, Operand(x, None), Operand(y, None), value)
            if operation.breaks(rules) is not None:
                return step, None
    return len(program.operations), values[program.result]
