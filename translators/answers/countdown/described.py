"""The operations of an answer, before they are judged."""

from __future__ import annotations

from typing import NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.countdown.board import Board
from pddl_pipeline.translators.answers.countdown.decisive import Piece


class DescribedOperation(NamedTuple):
    """The operations that an answer describes."""

    board: Board
    """The operations, and the faults found while reading them."""
    notes: dict[int, str]
    """By index of a line that was read and has no operation of the answer, the reason."""
    given: tuple[tuple[Step, Piece], ...] = ()
    """The steps, if the answer has them as PDDL."""
    flaw: str | None = None
    """Why the PDDL steps are not a plan under any rules."""
