"""How far a countdown answer gets, judged by the reader's own arithmetic: fast, without PDDL."""

from __future__ import annotations

from pddl_pipeline.answers.countdown.reader import read_board
from pddl_pipeline.answers.countdown.steps import UNREADABLE, Start
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.execution import PlanProgress
from pddl_pipeline.validation.task import Task


def countdown_progress(text: str, start: Start, task: Task) -> PlanProgress | None:
    """Return how far the operations of an answer get; None if the answer cannot be read.

    A step is an operation on two numbers that are left and that the rules of the answer allow; the
    last step is the check of the result. It counts as the only part of the goal.

    Args:
        text: the answer, without a model's thinking.
        start: the prepared task.
        task: the task.
    """
    board, _ = read_board(text, start, task)
    if board.flaw is not None and board.given:
        # PDDL with a step that does not exist: the steps before it count.
        return task.progress(Plan(board.given))._replace(reached=False)
    if not board.operations and any(fault.slug in UNREADABLE for fault in board.faults):
        return None
    count, known = len(board.operations), board.allowed(start.judged)
    if board.faults:  # numbers that are not on the board
        names = ((each.first.name, each.second.name) for each in board.operations[:known])
        known = next((at for at, pair in enumerate(names) if None in pair), known)
    right = known == count and board.right
    executed = count + 1 if right else known
    return PlanProgress(count + 1, executed, float(right), reached=right, cost=count + 1)
