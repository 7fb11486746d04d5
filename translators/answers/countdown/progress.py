"""How far a countdown answer gets, judged by the reader's own arithmetic: fast, without PDDL."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.translators.answers.countdown.board import DescribedOperation
from pddl_pipeline.translators.answers.countdown.reader import MOST_LINES, read_lines
from pddl_pipeline.translators.answers.countdown.rulings import judged
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.lines import lines_of
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
    lines = lines_of(text)
    if not lines or len(lines) > MOST_LINES:
        return None
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
