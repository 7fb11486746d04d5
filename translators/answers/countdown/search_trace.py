"""Reads traces of Stream of Search (Gandhi et al. 2024): the path to the line with the goal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.translators.answers.countdown.board import Board, DescribedOperation
from pddl_pipeline.translators.answers.countdown.pieces import statements_in
from pddl_pipeline.translators.answers.countdown.playing import play_all
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.lines import AnswerLine

_STATE: Final = "Current State:"
_OPERATIONS: Final = "Operations: ["
_EXPLORED: Final = re.compile(r"Exploring Operation: ([^,]{1,300}),")
_GOAL: Final = "equal: Goal Reached"
_FAILED: Final = "unequal: "


def read_search_trace(pieces: Sequence[AnswerLine], start: Start) -> DescribedOperation | None:
    """Read the operations on the path to the goal; return None if the text is not a trace."""
    if not any(piece.text.startswith(_STATE) for piece in pieces):
        return None
    goal = next((at for at in range(len(pieces) - 1, -1, -1) if _reaches(pieces[at])), None)
    if goal is None:
        board = Board(start)
        board.fault(
            ErrorKind.BAD_FORMAT, "the search does not report that it reached the goal", pieces[-1]
        )
        return DescribedOperation(board, {})
    return play_all(statements_in(_path(pieces[: goal + 1]), start), start)


def _reaches(piece: AnswerLine) -> bool:
    return _GOAL in piece.text and _FAILED not in piece.text


def _path(pieces: Sequence[AnswerLine]) -> list[AnswerLine]:
    """Return the operations of the last state, and the one explored from it."""
    path: list[AnswerLine] = []
    for piece in reversed(pieces):
        if _OPERATIONS in piece.text:
            operations = piece.text.rpartition(_OPERATIONS)[2].partition("]")[0]
            return [piece._replace(text=operations), *path]
        explored = _EXPLORED.match(piece.text)
        if explored and not path:
            path = [piece._replace(text=explored[1])]
    return path
