"""Reads answers to countdown tasks, in any of the supported forms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pddl_pipeline.arithmetic.operations import CHECK
from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, Ruling, TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.answers.countdown.board import Board, DescribedOperation
from pddl_pipeline.translators.answers.countdown.decisive import (
    USUAL,
    Decisive,
    decisive,
    usual_part,
)
from pddl_pipeline.translators.answers.countdown.equations import (
    explains,
    last_complete,
    operations_of,
    read_equations,
    states_target,
)
from pddl_pipeline.translators.answers.countdown.expression import Flaw, read_expression
from pddl_pipeline.translators.answers.countdown.given_steps import read_given_steps
from pddl_pipeline.translators.answers.countdown.notation import keyboard
from pddl_pipeline.translators.answers.countdown.number_words import in_digits
from pddl_pipeline.translators.answers.countdown.objects import with_objects_read, with_rows_read
from pddl_pipeline.translators.answers.countdown.pieces import simple_statement, statements_in
from pddl_pipeline.translators.answers.countdown.playing import is_step, is_whole, read_alone
from pddl_pipeline.translators.answers.countdown.remarks import retractions_in, takes_back
from pddl_pipeline.translators.answers.countdown.rulings import judged
from pddl_pipeline.translators.answers.countdown.search_trace import read_search_trace
from pddl_pipeline.translators.answers.countdown.start import Start, start_of
from pddl_pipeline.translators.answers.countdown.statement import Statement
from pddl_pipeline.translators.answers.countdown.states import read_states
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.answers.sentence_answer import read_any_answer
from pddl_pipeline.validation.task import Task

MOST_LINES: Final = 50_000
"""Maximum number of lines of an answer that is read."""
_NOTHING: Final = AnswerLine(1, "")
_OTHER_SIGNS: Final = ("{", "[", "|", "<")
"""Signs of JSON, tables, tags and lists of states, with which more than one line may matter."""
_SOMETHING: Final = re.compile(r"[\d(\[]")
_REMARK: Final = re.compile(r"\s\([^\d()]{1,200}\)[\s.]{0,9}$")


def read_countdown_answer(text: str, instance: Instance[object], task: Task) -> ReadAnswer:
    """Read an answer to a countdown task; see `Text.parse_answer`."""
    start = start_of(instance, task)
    if start is None:
        return read_any_answer(text, instance, task)
    part = usual_answer(text)
    described = None if part is None else _read_usual(part, start)
    lines: list[AnswerLine] | None = None
    if part is None or described is None:
        lines = lines_of(text)
        if len(lines) > MOST_LINES:
            return _unread(lines, start)
        described, part = read_lines(lines, start, task)
    found = judged(described, start)
    steps = described.given or _steps(described.board, start)
    plan = Plan([step for step, _ in steps]) if steps else None
    trace = LazyTrace(
        lambda: _traces(lines_of(text) if lines is None else lines, part, described, steps)
    )
    return ReadAnswer(plan, trace, found.faults, start.judged, found.rulings)


def usual_answer(text: str) -> Decisive | None:
    """Return the decisive part of an answer in plain signs whose last line is ``Answer: …``.

    It is the same as `read_lines` finds, but only this line is read. Other answers give None.
    """
    if USUAL not in text or not text.isascii() or any(sign in text for sign in _OTHER_SIGNS):
        return None
    part = usual_part(text)
    if (
        part is None
        or not text.replace("\n", "").isprintable()
        or part.lines[0].number > MOST_LINES
    ):
        return None
    return part if keyboard(in_digits(text)) is text else None


def _read_usual(part: Decisive, start: Start) -> DescribedOperation | None:
    """Return what the last line of a usual answer describes; None if it needs a closer look."""
    simple = simple_statement(part.lines[0])
    if simple is not None:
        return read_alone(simple, start)
    return None if tells_something(part) else _nothing(part, start)


def tells_something(part: Decisive) -> bool:
    """Return whether a part may have an expression, steps or states."""
    return any(map(_SOMETHING.search, [piece.text for piece in part.lines]))


def _unread(lines: list[AnswerLine], start: Start) -> ReadAnswer:
    """Return the reading of an answer with too many lines; its trace has one entry."""
    reason = f"an answer of {len(lines)} lines, of which at most {MOST_LINES} are read"
    rulings = dict.fromkeys(start.rules, Ruling(right=False, reason=reason))
    fault = Fault(ErrorKind.BAD_FORMAT, reason, lines[0].number)
    return ReadAnswer(None, (lines[0].dropped(reason),), (fault,), start.judged, rulings)


def read_lines(
    lines: list[AnswerLine], start: Start, task: Task
) -> tuple[DescribedOperation, Decisive]:
    """Return what the decisive part of an answer describes, and this part."""
    simple = simple_statement(lines[0]) if len(lines) == 1 else None
    if simple and not (simple.claims and is_step(simple.text)):
        return read_alone(simple, start), Decisive(lines)
    text = "\n".join([line.text for line in lines])
    pieces = lines
    if "{" in text or "[" in text:
        pieces = with_objects_read(lines)
        text = "\n".join([line.text for line in pieces])
    pieces = _with_keyboard_signs(pieces, text)
    if "|" in text:
        pieces = with_rows_read(pieces)
    part = decisive(pieces)
    if part.place is not None and len(part.lines) == 1 and not part.rest:
        simple = simple_statement(part.lines[0])
        if simple:
            return read_alone(simple, start), part
    part = _unretracted(part, start)
    return _describe(part, start, task), part


def _with_keyboard_signs(lines: list[AnswerLine], text: str) -> list[AnswerLine]:
    # Thinking that goes on behind the answer was cut off.
    if "<think>" in text:
        lines = lines[: text.partition("<think>")[0].count("\n")]
        text = "\n".join([line.text for line in lines])
    plain = keyboard(in_digits(text))
    if plain is text:
        return lines
    texts = plain.split("\n")
    if len(texts) != len(lines):  # a formula that goes on over a line end
        texts = [keyboard(in_digits(line.text)) for line in lines]
    return [
        line._replace(text=text.strip()) for line, text in zip(lines, texts, strict=True)
        if text.strip()
    ]  # fmt: skip


def _unretracted(part: Decisive, start: Start) -> Decisive:
    """Return a marked part, or the text behind it if the answer takes it back for another one.

    Behind words such as ``Wait, let me reconsider`` stands another answer if an expression of all
    numbers follows, or one that reaches the target and does not just explain the marked one.
    """
    if part.place is None:
        return part
    behind = part.rest if part.below is None else [*part.lines, *part.rest]
    for at, line in enumerate(behind):
        ends = retractions_in(line.text) if takes_back(line.text) else []
        if ends:
            rest = [line._replace(text=line.text[ends[0] :]), *behind[at + 1 :]]
            return Decisive(rest) if _answers_again(rest, part, start) else part
    return part


def _answers_again(rest: Sequence[AnswerLine], part: Decisive, start: Start) -> bool:
    told = [each for each in statements_in(rest, start) if not each.denied]
    if last_complete(told, start) is not None:
        return True
    parts = {o for each in statements_in(part.lines, start) for o in operations_of(each.text)}
    return any(states_target(each, start) and not explains(each, parts) for each in told)


def _describe(part: Decisive, start: Start, task: Task) -> DescribedOperation:
    pieces, marked = part.lines, part.place is not None
    if marked and len(pieces) == 1 and (simple := simple_statement(pieces[0])):
        alone = read_alone(simple, start)
        if not part.below or is_whole(alone, start):
            return alone
    if not tells_something(part):
        return _nothing(part, start)
    read = read_given_steps(pieces, start, task) or read_search_trace(pieces, start)
    if read:
        return read
    told = statements_in(pieces, start)
    if not any(each.plain and not each.denied for each in told):
        states = read_states(pieces, start)
        if states:
            return states
    if all(each.denied for each in told):
        return _nothing(part, start)
    described = read_equations(told, start, marked=marked)
    if part.below and not is_whole(described, start):
        further = statements_in([*pieces, *part.below], start)
        longer = read_equations(further, start, marked=marked)
        if is_whole(longer, start):
            return longer
    return described


def _nothing(part: Decisive, start: Start) -> DescribedOperation:
    """Return the reading of an answer in none of the forms, which may be a single number."""
    piece = part.lines[-1] if part.lines else _NOTHING
    text = _REMARK.sub("", piece.text.partition("=")[0]).strip("*` .")
    expression = read_expression(text)
    if not isinstance(expression, Flaw) and len(start.numbers) == 1:
        return read_alone(Statement(piece, text), start)
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
    theirs = start.actions
    for action, (_, first, _), (_, second, _), _, piece in board.operations:
        if first is None or second is None:
            return ()
        name = theirs.get(action, action) if theirs else action
        steps.append((Step(name, (first, second), piece.number), piece))
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
