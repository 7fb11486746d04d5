"""Reads traces of a search, and PDDL, in answers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pddl_pipeline.answers.countdown.statements import Statements
from pddl_pipeline.answers.countdown.steps import MOST_STEPS, Board, Start, played, unread
from pddl_pipeline.answers.grammar import pddl_steps
from pddl_pipeline.answers.lines import AnswerLine
from pddl_pipeline.model.errors import ErrorKind, PlanSyntaxError
from pddl_pipeline.model.operations import CHECK
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.task import Task


def read_search_trace(lines: Sequence[AnswerLine], start: Start) -> Board | None:
    """Read the path to the goal in a trace of Stream of Search; None for other texts."""
    if not any(line.text.startswith("Current State:") for line in lines):
        return None
    ends = [
        at for at, line in enumerate(lines)
        if "equal: Goal Reached" in line.text and "unequal: " not in line.text
    ]  # fmt: skip
    if not ends:
        return unread(
            "the search does not report that it reached the goal", lines[-1].number, start
        )
    path: list[tuple[int, str]] = []
    for line in lines[ends[-1] :: -1]:
        if "Operations: [" in line.text:
            path.append((line.number, line.text.rpartition("Operations: [")[2].partition("]")[0]))
            break
        if line.text.startswith("Exploring Operation: ") and not path:
            path = [(line.number, line.text[21:].partition(",")[0])]
    steps = [
        step._replace(line=number) for number, text in reversed(path)
        for step in Statements(text, start).found
    ]  # fmt: skip
    return played(steps[:MOST_STEPS], start)


def read_pddl(lines: Sequence[AnswerLine], start: Start, task: Task) -> Board | None:
    """Read countdown's steps in PDDL; return None if there are none."""
    every = list(
        islice(
            (step for line in lines if "(" in line.text for step in pddl_steps(line, task)),
            MOST_STEPS + 1,
        )
    )
    board, given = Board(start), tuple(every[:MOST_STEPS])
    if not given:
        return None
    board.given = given
    try:
        task.read_plan(Plan(given))
    except PlanSyntaxError as error:
        board.flaw = error.message
        return board
    if len(every) > MOST_STEPS:
        board.fault(
            ErrorKind.BAD_FORMAT, f"only the first {MOST_STEPS} steps are read", given[-1].line or 0
        )
    board.flaw = _applied(board, given)
    return board


def _applied(board: Board, given: Sequence[Step]) -> str | None:
    """Apply steps of the task; return why they are not a plan under any rules, or None."""
    ours = {theirs: name for name, theirs in board.start.actions.items()}
    left = {
        name: board.start.places[value][0]._replace(name=name)
        for name, value in board.start.numbers.items()
    }
    flaw, checked = None, False
    for number, step in enumerate(given, start=1):
        action, line = ours.get(step.action, step.action), step.line or 0
        missing = [name for name in step.arguments if name not in left]
        if missing or len(set(step.arguments)) < len(step.arguments):
            reason = f"{missing[0]} is used up" if missing else "a number with itself"
            board.fault(ErrorKind.UNKNOWN_NUMBER, f"step {number} {step}: {reason}", line)
        elif action == CHECK:
            checked = len(left) == 1
            flaw = flaw or (None if checked else f"step {number} {step}: {len(left)} numbers left")
        else:
            first, second = (left.pop(name) for name in step.arguments)
            board.result, board.line = board.combine(action, first, second, line), line
            left[step.arguments[0]] = board.result
    return flaw or (None if checked else f"no step ({CHECK} …)")
