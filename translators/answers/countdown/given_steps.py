"""Reads countdown's steps if an answer has them as PDDL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from pddl_pipeline.arithmetic.operations import CHECK
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.answers.countdown.board import MOST_STEPS, Board, DescribedOperation
from pddl_pipeline.translators.answers.countdown.operations import Operand
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.lines import AnswerLine
from pddl_pipeline.translators.answers.pddl_answer import pddl_steps
from pddl_pipeline.validation.task import Task

_WORD: Final = re.compile(r"\(\s{0,9}[^\W\d]{2}")


def read_given_steps(
    pieces: Sequence[AnswerLine], start: Start, task: Task
) -> DescribedOperation | None:
    """Read the steps in parentheses; return None if there are none."""
    if not any(_WORD.search(piece.text) for piece in pieces):
        return None
    found = ((step, piece) for piece in pieces for step in pddl_steps(piece, task))
    every = tuple(islice(found, MOST_STEPS + 1))
    given = every[:MOST_STEPS]
    if not given:
        return None
    try:
        task.read_plan(Plan(step for step, _ in given))
    except PlanSyntaxError as error:
        return DescribedOperation(Board(start), {}, given=given, flaw=error.message)
    board = Board(start)
    if len(every) > MOST_STEPS:
        board.fault(
            ErrorKind.BAD_FORMAT, f"only the first {MOST_STEPS} steps are read", given[-1][1]
        )
    return DescribedOperation(board, {}, given=given, flaw=_play(given, board, start))


def _play(given: tuple[tuple[Step, AnswerLine], ...], board: Board, start: Start) -> str | None:
    """Apply steps of the task; return why they are not a plan under any rules, or None."""
    ours = {theirs: name for name, theirs in start.actions.items()}
    left = {name: Operand(value, name) for name, value in start.numbers.items()}
    flaw, checked = None, False
    for number, (step, piece) in enumerate(given, start=1):
        action = ours.get(step.action, step.action)
        missing = [name for name in step.arguments if name not in left]
        if missing or len(set(step.arguments)) < len(step.arguments):
            reason = f"{missing[0]} is used up" if missing else "a number with itself"
            board.fault(ErrorKind.UNKNOWN_NUMBER, f"step {number} {step}: {reason}", piece)
        elif action == CHECK:
            checked = len(left) == 1
            flaw = flaw or (None if checked else f"step {number} {step}: {len(left)} numbers left")
        else:
            first, second = (left.pop(name) for name in step.arguments)
            board.used |= set(step.arguments)
            left[step.arguments[0]] = board.combine(action, first, second, piece)
    return flaw or (None if checked else f"no step ({CHECK} …)")
