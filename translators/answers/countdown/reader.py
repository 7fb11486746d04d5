"""Reads answers to countdown tasks, in any of the supported forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pddl_pipeline.arithmetic.operations import CHECK
from pddl_pipeline.model.answer import Fault, ReadAnswer, Ruling, TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.answers.countdown.board import Board, DescribedOperation
from pddl_pipeline.translators.answers.countdown.decisive import Decisive, decisive
from pddl_pipeline.translators.answers.countdown.equations import (
    Equation,
    read_alone,
    read_equations,
)
from pddl_pipeline.translators.answers.countdown.expression import Flaw, read_expression
from pddl_pipeline.translators.answers.countdown.given_steps import read_given_steps
from pddl_pipeline.translators.answers.countdown.rulings import judged
from pddl_pipeline.translators.answers.countdown.search_trace import read_search_trace
from pddl_pipeline.translators.answers.countdown.start import Start, start_of
from pddl_pipeline.translators.answers.countdown.states import read_states
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.answers.ornaments import bare_arithmetic
from pddl_pipeline.translators.answers.sentence_answer import read_any_answer
from pddl_pipeline.validation.task import Task

_MOST_LINES: Final = 50_000
_NOTHING: Final = AnswerLine(1, "")


def read_countdown_answer(text: str, instance: Instance[object], task: Task) -> ReadAnswer:
    """Read an answer to a countdown task; see `Text.parse_answer`."""
    start = start_of(instance, task)
    if start is None:
        return read_any_answer(text, instance, task)
    lines = lines_of(text)
    if len(lines) > _MOST_LINES:
        return _unread(lines, start)
    part = decisive(lines)
    described = _describe(part, start, task)
    found = judged(described, start)
    steps = described.given or _steps(described.board, start)
    plan = Plan(step for step, _ in steps) if steps else None
    return ReadAnswer(
        plan, _traces(lines, part, described, steps), found.faults, start.judged, found.rulings
    )


def _unread(lines: list[AnswerLine], start: Start) -> ReadAnswer:
    """Return the reading of an answer with too many lines; its trace has one entry."""
    reason = f"an answer of {len(lines)} lines, of which at most {_MOST_LINES} are read"
    rulings = dict.fromkeys(start.rules, Ruling(right=False, reason=reason))
    fault = Fault(ErrorKind.BAD_FORMAT, reason, lines[0].number)
    return ReadAnswer(None, (lines[0].dropped(reason),), (fault,), start.judged, rulings)


def _describe(part: Decisive, start: Start, task: Task) -> DescribedOperation:
    pieces = part.lines
    return (
        read_given_steps(pieces, start, task)
        or read_search_trace(pieces, start)
        or read_equations(pieces, start, marked=part.place is not None)
        or read_states(pieces, start)
        or _nothing(part, start)
    )


def _nothing(part: Decisive, start: Start) -> DescribedOperation:
    """Return the reading of an answer in none of the forms, which may be a single number."""
    piece = part.lines[-1] if part.lines else _NOTHING
    equation = Equation(piece, bare_arithmetic(piece.text).partition("=")[0], ())
    expression = read_expression(equation.text)
    if not isinstance(expression, Flaw) and len(start.numbers) == 1:
        return read_alone(equation, start, {})
    where = part.place or "the answer"
    reason = f"{where} contains no expression, steps or states"
    board = Board(start)
    if isinstance(expression, Flaw) and expression.slug is ErrorKind.BAD_OPERATOR:
        board.fault(*expression, piece)
    elif isinstance(expression, Flaw) and piece.text:
        board.fault(ErrorKind.BAD_FORMAT, f"{reason}: {expression.message}", piece)
    else:
        board.fault(ErrorKind.BAD_FORMAT, reason, piece)
    return DescribedOperation(board, {})


def _steps(board: Board, start: Start) -> tuple[tuple[Step, AnswerLine], ...]:
    """Return the steps of a plan with their pieces; no steps if a number has no object."""
    steps: list[tuple[Step, AnswerLine]] = []
    for action, first, second, _, piece in board.operations:
        if first.name is None or second.name is None:
            return ()
        name = start.actions.get(action, action)
        steps.append((Step(name, (first.name, second.name), piece.number), piece))
    return (*steps, *_checked(board, start))


def _checked(board: Board, start: Start) -> tuple[tuple[Step, AnswerLine], ...]:
    """Return the step that checks the goal, if an object holds the result."""
    result, piece = board.result, board.piece
    if result is None or result.name is None or piece is None:
        return ()
    if result.turned and result.value:
        # No step can check that the target is minus the number of an object.
        return ()
    return ((Step(start.actions.get(CHECK, CHECK), (result.name,), piece.number), piece),)


def _traces(
    lines: Sequence[AnswerLine],
    part: Decisive,
    described: DescribedOperation,
    steps: Sequence[tuple[Step, AnswerLine]],
) -> tuple[TraceLine, ...]:
    """Return the entries of all lines, in order."""
    steps_of: dict[int, list[tuple[int, Step]]] = {}
    for number, (step, piece) in enumerate(steps, start=1):
        steps_of.setdefault(piece.number, []).append((number, step))
    notes = {**{o.piece.number: "not all numbers are known" for o in described.board.operations},
             **described.notes} if not steps else described.notes  # fmt: skip
    looked_at = {piece.number for piece in part.lines} if part.place else ()
    found: list[TraceLine] = []
    for line in lines:
        if line.number in steps_of:
            found += [_entry(line, each, described) for each in steps_of[line.number]]
        elif line.number in notes:
            found.append(line.dropped(notes[line.number]))
        elif part.place is None or line.number in looked_at:
            found.append(line.dropped("no step"))
        else:
            found.append(line.dropped(f"{part.place} decides"))
    return tuple(found)


def _entry(
    line: AnswerLine, numbered: tuple[int, Step], described: DescribedOperation
) -> TraceLine:
    number, step = numbered
    if described.given and line.text == str(step):
        return line.used(number)
    return line.read_as(step, number, ", with its signs resolved" if described.board.turned else "")
