"""Reads JSON, tables, traces of a search, and PDDL in answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from pddl_pipeline.answers.countdown.statements import Statements
from pddl_pipeline.answers.countdown.steps import MOST_STEPS, Board, Start, played, unread
from pddl_pipeline.answers.grammar import pddl_steps
from pddl_pipeline.answers.lines import AnswerLine
from pddl_pipeline.model.errors import ErrorKind, PlanSyntaxError
from pddl_pipeline.model.operations import CHECK
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.task import Task

_MOST_OBJECTS: Final = 20
_DECODER: Final = json.JSONDecoder()
_OBJECT: Final = re.compile(r"^[ \t]*(?=[\[{]\s*[{\[\"'])", re.MULTILINE)
_OPERATION: Final = re.compile(r"[\d)]\s{0,3}[-+*/xX(\u00d7\u00f7\u2212]\s{0,3}[\d(]")
_NUMBER: Final = re.compile(r"\s*-?\d+(?:\.\d+|/\d+|(?:,\d{3})+)?\W*", re.ASCII)
_CELL: Final = re.compile(r"(?<=[\d)])[ *`]*\|[=|\s*`]*(-?\d[\d,./]*)[\s*`]*(?=\|)")


def with_objects_read(text: str) -> str:
    """Return a text with the operations of JSON objects in place of these, and of tables."""
    if "|" in text:
        text = _CELL.sub(r" = \1 ", text)
    if "{" not in text and "[" not in text:
        return text
    parts, at = list[str](), 0
    for match in islice(_OBJECT.finditer(text), _MOST_OBJECTS):
        value, end = _decoded(text, match.end()) if match.end() >= at else (None, 0)
        told = " ; ".join(_texts(value)).replace("\n", " ; ")
        if told:
            parts += [text[at : match.start()], told, "\n" * text.count("\n", match.start(), end)]
            at = end
    return "".join((*parts, text[at:]))


def _decoded(text: str, begin: int) -> tuple[Any, int]:
    """Return the JSON value that begins here, or one with single quotes, and where it ends."""
    for form in (text, text.replace("'", '"')):
        try:
            value, end = _DECODER.raw_decode(form, begin)
        except (ValueError, RecursionError):
            continue
        if not form[end:].partition("\n")[0].strip(" `.;,"):
            return value, end
    return None, 0


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a JSON value; of an object with an answer, only the answer."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, dict):
        named = {str(name).lower().replace("_", " "): each for name, each in value.items()}
        answer = named.get("final answer", named.get("answer"))
        if isinstance(answer, str) and (len(named) == 1 or not _NUMBER.fullmatch(answer)):
            yield f"\nAnswer: {answer}\n"
        else:
            yield from _operation(named)


def _operation(named: dict[str, Any]) -> Iterator[str]:
    """Yield the operation of an object, with its result, or all of its texts."""
    results = [named[name] for name in ("result", "value", "total", "answer") if name in named]
    claim = f" = {results[0]}" if results and _NUMBER.fullmatch(str(results[0])) else ""
    others = [
        each for name, value in named.items()
        if name not in {"step", "index", "result", "value", "total", "answer"}
        for each in (value if isinstance(value, list) else [value])
    ]  # fmt: skip
    texts = [word for word in others if isinstance(word, str)]
    operations = [text for text in texts if _OPERATION.search(text)]
    if len(operations) == 1 and "=" not in operations[0]:
        yield from (text + claim if text in operations else text for text in texts)
    else:
        for each in others:
            yield from _texts(each)


def read_search_trace(lines: Sequence[AnswerLine], start: Start) -> Board | None:
    """Read the path to the goal in a trace of Stream of Search; None for other texts."""
    if not any(line.text.startswith("Current State:") for line in lines):
        return None
    ends = [
        at for at, line in enumerate(lines)
        if "equal: Goal Reached" in line.text and "unequal: " not in line.text
    ]  # fmt: skip
    if not ends:
        reason = "the search does not report that it reached the goal"
        return unread(reason, lines[-1].number, start)
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
    return played(steps, start)


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
        reason = f"only the first {MOST_STEPS} steps are read"
        board.fault(ErrorKind.BAD_FORMAT, reason, given[-1].line or 0)
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
            board.used |= set(step.arguments)
            left[step.arguments[0]] = board.combine(action, first, second, line)
    return flaw or (None if checked else f"no step ({CHECK} …)")
