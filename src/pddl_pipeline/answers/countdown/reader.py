"""Reads answers to countdown tasks, in any of the supported forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from pddl_pipeline.answers.countdown.choice import Choice, Unreadable
from pddl_pipeline.answers.countdown.expression import read_expression
from pddl_pipeline.answers.countdown.forms import read_pddl, read_search_trace
from pddl_pipeline.answers.countdown.statements import BOX, CLOSE, LABEL, OPEN, plain
from pddl_pipeline.answers.countdown.steps import (
    Board,
    Start,
    Statement,
    alone,
    judged,
    start_of,
    unread,
)
from pddl_pipeline.answers.lines import AnswerLine, lines_of
from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.operations import CHECK
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.task import Task

Reader = Callable[[str, Instance[Any], Task], ReadAnswer]
_LONGEST: Final = 300
_LONGEST_TEXT: Final = 200_000
"""Maximum number of characters of an answer; of PDDL domains, longer ones are read."""
_USUAL: Final = "Answer: "  # as long as `<answer>`
_MARKS: Final = ("answer", "final", "{", "<", "\r", " not ", "n't", "wrong", "incorrect")
# Most answers are like `(10 - 6) * 5 + 4 = 24`: read without looking at each token.
_SIMPLE: Final = re.compile(
    r"(?:\d{1,3}[.)]\s)?(?![^=l]*(?:[\d)]\s+[\d(]|\*\*|//))(?=[^=l]*[\d)]\s*[-+*/]\s*[\d(])"
    r"(-?[\d(][-+*/()\d ]*)(?:= ?(-?\d+) ?)?(?:\(left: [\d .]*\))?\.?",
    re.ASCII,
)


def read_countdown_answer(
    text: str, instance: Instance[Any], task: Task, otherwise: Reader
) -> ReadAnswer:
    """Read an answer to a countdown task.

    Args:
        text: the answer, without a model's thinking.
        instance: the instance.
        task: its task.
        otherwise: the reader for PDDL that only has the actions of countdown.
    """
    start = start_of(instance, task)
    if start is None:
        return otherwise(text, instance, task)
    board, place = read_board(text, start, task)
    faults, rulings = judged(board)
    steps = board.given or _steps(board, start)
    trace = LazyTrace(lambda: _traces(lines_of(text), board, place, steps))
    plan = Plan(steps) if steps else None
    return ReadAnswer(plan, trace, faults, start.judged, rulings)


def _usual_line(text: str) -> tuple[str, int, str]:
    """Return the line to read in usual answers, its number, and the name of its part.

    It is the only line, or the last one behind ``Answer:`` or in ``<answer>`` if that is the only
    mark. The line is empty in other answers.
    """
    end = text.rstrip()
    tagged = end.endswith("</answer>")
    begin = end.rfind("<answer>") if tagged else end.rfind("\n") + 1
    if begin < 0 or not (tagged or end.startswith(_USUAL, begin)):
        line = end.lstrip()
        return line, text.count("\n") - line.count("\n") + 1, "the answer"
    above = text[:begin].lower()
    if any(sign in above for sign in _MARKS):
        return "", 0, ""
    told = end[begin + len(_USUAL) : -9 if tagged else None].strip()
    return told, end.count("\n") + 1, "the tag <answer>" if tagged else "the answer line"


def read_board(text: str, start: Start, task: Task) -> tuple[Board, str]:
    """Return the operations that an answer describes, and the name of the part that was read."""
    line, number, place = _usual_line(text)
    simple = _SIMPLE.fullmatch(line) if len(line) <= _LONGEST else None
    if simple is not None:
        told = Statement(number, simple[1].rstrip(), (simple[2],) if simple[2] else ())
        return alone(told, start), place
    if len(text) > _LONGEST_TEXT:
        return unread(
            f"the answer has {len(text):,} characters, at most {_LONGEST_TEXT:,} are read", 1, start
        ), place
    choice = Choice(plain(text), start)
    above = "\n" * choice.text.count("\n", 0, choice.begin)
    part = lines_of(above + choice.text[choice.begin : choice.end])
    board = read_pddl(part, start, task) or read_search_trace(part, start)
    if board is None and not choice.inside:
        board = _nothing(part, choice.place, start)
    try:
        return board or choice.board(), choice.place
    except Unreadable as error:
        return unread(str(error), error.line, start), choice.place


def _nothing(part: Sequence[AnswerLine], place: str, start: Start) -> Board:
    """Return the reading of an answer without a statement, which may be a single number."""
    line = part[-1] if part else AnswerLine(1, "")
    text = line.text.partition("=")[0].strip(f"*[] .{OPEN}{CLOSE}{LABEL}{BOX}")
    expression = read_expression(text)
    if len(start.numbers) == 1 and not isinstance(expression, Fault):
        return alone(Statement(line.number, text), start)
    reason = f"{place} contains no expression and no steps"
    if not isinstance(expression, Fault) or not text:
        return unread(reason, line.number, start)
    board = unread(f"{reason}: {expression.message}", line.number, start)
    if expression.slug is ErrorKind.BAD_OPERATOR:
        board.faults = [expression._replace(line=line.number)]
    return board


def _steps(board: Board, start: Start) -> tuple[Step, ...]:
    """Return the steps of a plan; no steps if a number has no object."""
    steps: list[Step] = []
    for action, (_, first), (_, second), _, line in board.operations:
        if first is None or second is None:
            return ()
        steps.append(Step(start.actions.get(action, action), (first, second), line))
    # No step can check that the target is minus the number of an object.
    if board.result is None or board.result.name is None:
        return tuple(steps)
    return (*steps, Step(start.actions.get(CHECK, CHECK), (board.result.name,), board.line))


def _traces(
    lines: Sequence[AnswerLine], board: Board, place: str, steps: Sequence[Step]
) -> tuple[TraceLine, ...]:
    """Return the entries of all lines, in order."""
    steps_of: dict[int, list[tuple[int, Step]]] = {}
    for number, step in enumerate(steps, start=1):
        steps_of.setdefault(step.line or 0, []).append((number, step))
    notes = {each.line: "a step whose numbers are not all known" for each in board.operations}
    notes = {} if steps else notes
    notes |= {fault.line or 0: f"not read: {fault.message}" for fault in board.faults}
    found: list[TraceLine] = []
    for line in lines:
        for number, step in steps_of.get(line.number, ()):
            same = board.given and line.text == str(step)
            found.append(line.used(number) if same else line.read_as(step, number))
        if line.number not in steps_of:
            note = "no step" if place == "the answer" else f"outside {place}"
            found.append(line.dropped(notes.get(line.number, note)))
    return tuple(found)
