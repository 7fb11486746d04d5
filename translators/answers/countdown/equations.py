"""Decides which statements of an answer count: an expression, or a list of steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pddl_pipeline.arithmetic.operations import combine, is_defined
from pddl_pipeline.model.number import Number
from pddl_pipeline.translators.answers.countdown.board import DescribedOperation
from pddl_pipeline.translators.answers.countdown.expression import Flaw, read_expression
from pddl_pipeline.translators.answers.countdown.operations import number_of
from pddl_pipeline.translators.answers.countdown.playing import (
    is_step,
    is_true,
    play_all,
    play_whole,
    read_alone,
)
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.countdown.statement import Statement, value_of_text

_Operation = tuple[str, Number, Number]


def read_equations(
    statements: Sequence[Statement], start: Start, *, marked: bool
) -> DescribedOperation:
    """Read the statements of an answer, of which there is at least one that is not denied.

    The last expression of all numbers of the task is the answer, unless other statements follow
    that do not just explain it. Without such an expression, the statements are steps.

    Args:
        statements: the statements of the decisive part.
        start: the task.
        marked: whether the part is marked as the answer. A single statement is then an expression.
    """
    told = [statement for statement in statements if not statement.denied]
    if len(told) == 1 and (marked or not is_step(told[0].text)):
        return read_alone(told[0], start)
    if len(told) > 1:
        described = play_whole(told, start)
        if described is not None:
            return described
    last = last_complete(told, start)
    if last is not None:
        newer = list(_newer(told, last, start))
        if not newer:
            notes = {s.piece.number: "a later expression decides" for s in told[:last]}
            notes.pop(told[last].piece.number, None)
            return read_alone(told[last], start, notes)
        told = newer
    told = [statement for statement in told if not statement.checks] or told
    return _steps(told, start, marked=marked)


def last_complete(statements: Sequence[Statement], start: Start) -> int | None:
    """Return the index of the last expression of all numbers of the task, or None."""
    wanted = Counter[Number | None](start.numbers.values())
    for index in range(len(statements) - 1, -1, -1):
        words = _numbers(statements[index].text)
        if len(words) == len(start.numbers) and Counter(map(number_of, words)) == wanted:
            return index
    return None


def states_target(statement: Statement, start: Start) -> bool:
    """Return whether a statement reaches the target, or says so."""
    values = (value_of_text(claim.text) for claim in statement.claims)
    return start.target in values or value_of_text(statement.text) == start.target


def explains(statement: Statement, parts: set[_Operation]) -> bool:
    """Return whether a statement has only operations of an expression, and states true values."""
    value = value_of_text(statement.text)
    if value is None or not all(is_true(claim, value) for claim in statement.claims):
        return False
    return all(operation in parts for operation in operations_of(statement.text))


def _newer(told: Sequence[Statement], last: int, start: Start) -> Iterator[Statement]:
    """Yield the statements behind an expression that are another answer, not its explanation."""
    parts = set(operations_of(told[last].text)) if last + 1 < len(told) else set()
    for statement in told[last + 1 :]:
        if statement.checks or explains(statement, parts):
            continue
        if statement.plain or states_target(statement, start):
            yield statement


def _numbers(text: str) -> Sequence[str]:
    expression = read_expression(text)
    return () if isinstance(expression, Flaw) else expression.numbers


def operations_of(text: str) -> Iterator[_Operation]:
    """Yield the operations of an expression on exact values; sums and products in order of size."""
    expression = read_expression(text)
    if isinstance(expression, Flaw):
        return
    values = [number_of(word) for word in expression.numbers]
    for action, first, second in expression.program.operations:
        x, y = values[first], values[second]
        if x is None or y is None or not is_defined(action, y):
            return
        values[first] = combine(action, x, y)
        yield (action, min(x, y), max(x, y)) if action in ("add", "multiply") else (action, x, y)


def _steps(told: Sequence[Statement], start: Start, *, marked: bool) -> DescribedOperation:
    """Read statements as steps.

    If one of the lists of steps that the statements may be uses every number once, without a
    fault, it is read. Else the last expression counts, or the steps of the last attempt.
    """
    lists = _lists(told)
    for steps in lists:
        described = play_whole(steps, start)
        if described is not None:
            return described
    plain = lists[-1]
    if _alone(plain, start, marked=marked):
        return read_alone(plain[-1], start)
    return play_all(plain, start)


def _lists(told: Sequence[Statement]) -> list[list[Statement]]:
    """Return the lists of steps that statements may be.

    These are all, those of lines without prose, and of each the last attempt. The last list
    counts if none is whole.
    """
    plain = [statement for statement in told if statement.plain] or list(told)
    lists = list[list[Statement]]()
    for steps in (list(told), plain):
        lists += [steps, [step for step in steps if step.group == steps[-1].group]]
    return [steps for at, steps in enumerate(lists) if steps not in lists[:at] or at == 3]


def _alone(found: Sequence[Statement], start: Start, *, marked: bool) -> bool:
    """Return whether the last statement is the whole answer."""
    last = found[-1]
    if len(found) == 1 and (marked or not last.claims):
        return True
    if last.claims and is_step(last.text):
        return False
    expression = read_expression(last.text)
    if len(found) == 1 or isinstance(expression, Flaw):
        return True
    return Counter(map(number_of, expression.numbers)) <= Counter(start.numbers.values())
