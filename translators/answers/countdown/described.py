"""What one form of answers tells, before it is judged."""

from __future__ import annotations

from typing import NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.countdown.board import Board
from pddl_pipeline.translators.answers.countdown.decisive import Piece


class DescribedOperation(NamedTuple):
    """The operations that an answer tells."""

    board: Board
    """What was done, and the faults seen while doing it."""
    notes: dict[int, str]
    """By index of a line that was looked at and holds no operation of the answer: why."""
    given: tuple[tuple[Step, Piece], ...] = ()
    """The steps, where the answer gives them as PDDL."""
    flaw: str | None = None
    """Why the steps that are given are no plan under any rules."""
