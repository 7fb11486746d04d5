"""Reads answers to countdown tasks, in any of the supported forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from pddl_pipeline.answers.countdown.choice import Choice, Unreadable, roles
from pddl_pipeline.answers.countdown.expression import Flaw, read_expression
from pddl_pipeline.answers.countdown.forms import read_pddl, read_search_trace, with_objects_read
from pddl_pipeline.answers.countdown.statements import BOX, CLOSE, LABEL, OPEN, in_signs, keyboard
from pddl_pipeline.answers.countdown.steps import (
    Board,
    Claim,
    Start,
    Statement,
    alone,
    judged,
    start_of,
    unread,
)
from pddl_pipeline.answers.lines import AnswerLine, lines_of, visible
from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.operations import CHECK
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.task import Task

Reader = Callable[[str, Instance[Any], Task], ReadAnswer]
_LONGEST: Final = 300
_USUAL: Final = "Answer: "  # as long as `<answer>`
_MARKS: Final = ("answer", "final", "{", "<", "\r", " not ", "n't", "wrong", "incorrect")
# Most answers are like `(10 - 6) * 5 + 4 = 24`: read without looking at each token.
_SIMPLE: Final = re.compile(
    r"(?:\d{1,3}[.)]\s)?(?![^=l]*(?:[\d)]\s+[\d(]|\*\*|//))(?=[^=l]*[\d)]\s*[-+*/]\s*[\d(])"
    r"(-?[\d(][-+*/()\d\s]*)(?:=\s*(-?\d+)\s*)?(?:\(left: [\d\s.]*\))?\.?",
    re.ASCII,
)
_TAG: Final = re.compile(
    r"(<answer>|<plan>|```\s?(?:final[_ -]?)?answer)|</(?:answer|plan)>", re.IGNORECASE
)
_LEAD: Final = rf"[\s*_`$]{{0,6}}[-(\d\[{{{BOX}][^\n]*[-+*/(]"
_MARK: Final = re.compile(
    r"(?<![\w-])(?:final[\s_-](?:answer|expression|equation|solution)|answer)\b(?:[\s*_`\"']{0,4}"
    r"(?:\([^()\n]{0,60}\)\W{0,4})?(?:is|becomes)?[\s*_`]{0,4}[:=]|(?: is)?"
    rf"(?= (?:is )?{_LEAD}|[\s*_`#]*$))",
    re.IGNORECASE | re.MULTILINE,
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
    line = usual_line(text)
    simple = None if line is None else simple_statement(line)
    if simple is not None:
        tagged = text.rstrip().endswith("</answer>")
        place = "the tag <answer>" if tagged else "the answer line"
        board, lines = alone(simple, start), None
    else:
        lines = lines_of(text)
        board, place = read_lines(text, lines, start, task)
    found = judged(board)
    steps = board.given or _steps(board, start)
    trace = LazyTrace(
        lambda: _traces(lines_of(text) if lines is None else lines, board, place, steps)
    )
    plan = Plan(steps) if steps else None
    return ReadAnswer(plan, trace, found.faults, start.judged, found.rulings)


def usual_line(text: str) -> AnswerLine | None:
    """Return the last line behind its ``Answer:`` or in ``<answer>``, if it is the only mark."""
    end = text.rstrip()
    tagged = end.endswith("</answer>")
    begin = end.rfind("<answer>") if tagged else end.rfind("\n") + 1
    if begin < 0 or not (tagged or end.startswith(_USUAL, begin)):
        return None
    above = text[:begin].lower()
    if not text.isascii() or any(sign in above for sign in _MARKS):
        return None
    told = end[begin + len(_USUAL) : -9 if tagged else None]
    return AnswerLine(text.count("\n", 0, begin) + 1, told.strip())


def simple_statement(line: AnswerLine) -> Statement | None:
    """Return the statement of a line that has nothing but one equation; None for other lines."""
    simple = _SIMPLE.fullmatch(line.text) if len(line.text) <= _LONGEST else None
    if simple is None:
        return None
    claims = (Claim(simple[2]),) if simple[2] else ()
    return Statement(line.number, simple[1].rstrip(), claims)


def read_lines(
    text: str, lines: Sequence[AnswerLine], start: Start, task: Task
) -> tuple[Board, str]:
    """Return the operations that an answer describes, and the name of the part that was read."""
    simple = simple_statement(lines[0]) if len(lines) == 1 else None
    if simple and not (simple.claims and simple.is_step):
        return alone(simple, start), "the answer"
    plain = visible(text).replace("\r\n", "\n").replace("\r", "\n").partition("<think>")[0]
    plain = keyboard(with_objects_read(plain))
    plain = _MARK.sub(_mark, _TAG.sub(_tag, plain))
    board, place = _read(plain, start, task)
    if "," in plain and not judged(board).right(start):
        # `100+25=125,125*8=1000`: the comma may stand between two numbers.
        again, where = _read(plain.replace(",", ", "), start, task)
        return (again, where) if judged(again).right(start) else (board, place)
    return board, place


def _read(plain: str, start: Start, task: Task) -> tuple[Board, str]:
    """Return the operations that a text with keyboard signs describes, and its part."""
    choice = Choice(in_signs(plain), start)
    above = "\n" * choice.text.count("\n", 0, choice.begin)
    part = lines_of(above + choice.text[choice.begin : choice.end])
    board = read_pddl(part, start, task) or read_search_trace(part, start)
    if board is None and not any(each.start < choice.end for each in choice.found):
        board = _nothing(part, choice.place, start)
    try:
        board = board or choice.board()
    except Unreadable as error:
        board = unread(str(error), error.line, start)
    board.notes = choice.notes | board.notes
    return board, choice.place


def _tag(match: re.Match[str]) -> str:
    """Return the mark for a tag or a fence."""
    if match[1] is None:
        return CLOSE
    return OPEN if match[1][0] == "<" else LABEL


def _mark(match: re.Match[str]) -> str:
    """Return the mark for a label, unless the words before it deny it or check an answer."""
    before = " ".join(match.string[max(0, match.start() - 40) : match.start()].split()[-3:])
    return match[0] if roles(before) & {"deny", "check"} else LABEL


def _nothing(part: Sequence[AnswerLine], place: str, start: Start) -> Board:
    """Return the reading of an answer without a statement, which may be a single number."""
    line = part[-1] if part else AnswerLine(1, "")
    text = re.sub(r"\s\([^\d()]{1,200}\)[\s.]{0,9}$", "", line.text.partition("=")[0])
    text = text.strip(f"*`[] .{OPEN}{CLOSE}{LABEL}{BOX}")
    expression = read_expression(text)
    if len(start.numbers) == 1 and not isinstance(expression, Flaw):
        return alone(Statement(line.number, text), start)
    reason = f"{place} contains no expression and no steps"
    if isinstance(expression, Flaw) and text:
        reason = f"{reason}: {expression.message}"
    board = unread(reason, line.number, start)
    if isinstance(expression, Flaw) and expression.slug is ErrorKind.BAD_OPERATOR:
        board.faults = [Fault(*expression, line.number)]
    return board


def _steps(board: Board, start: Start) -> tuple[Step, ...]:
    """Return the steps of a plan; no steps if a number has no object."""
    steps: list[Step] = []
    for action, (_, first, _), (_, second, _), _, line in board.operations:
        if first is None or second is None:
            return ()
        steps.append(Step(start.actions.get(action, action), (first, second), line))
    result = board.result
    # No step can check that the target is minus the number of an object.
    if result is None or result.name is None or (result.turned and result.value):
        return tuple(steps)
    return (*steps, Step(start.actions.get(CHECK, CHECK), (result.name,), board.line))


def _traces(
    lines: Sequence[AnswerLine], board: Board, place: str, steps: Sequence[Step]
) -> tuple[TraceLine, ...]:
    """Return the entries of all lines, in order."""
    steps_of: dict[int, list[tuple[int, Step]]] = {}
    for number, step in enumerate(steps, start=1):
        steps_of.setdefault(step.line or 0, []).append((number, step))
    told = {each.line: "a step whose numbers are not all known" for each in board.operations}
    faults = {fault.line or 0: f"not read: {fault.message}" for fault in board.faults}
    notes = {**faults, **board.notes} if steps else {**told, **faults, **board.notes}
    how = ", with its signs resolved" if board.turned else ""
    found: list[TraceLine] = []
    for line in lines:
        for number, step in steps_of.get(line.number, ()):
            same = board.given and line.text == str(step)
            found.append(line.used(number) if same else line.read_as(step, number, how))
        if line.number not in steps_of:
            note = "no step" if place == "the answer" else f"outside {place}"
            found.append(line.dropped(notes.get(line.number, note)))
    return tuple(found)
