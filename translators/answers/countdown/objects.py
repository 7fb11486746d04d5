"""Reads JSON objects and tables in answers: their operations, as lines of arithmetic."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from pddl_pipeline.translators.answers.lines import AnswerLine

_MOST: Final = 20
"""Maximum number of objects in an answer."""
_DEEPEST: Final = 40
_START: Final = re.compile(r"[\[{]\s{0,9}(?:\{|\[|\"|$)")
_ANSWERS: Final = ("final_answer", "finalanswer", "final answer", "answer")
_VALUES: Final = ("result", "value", "total", "output", "equals", "gives")
_LABELS: Final = frozenset({"step", "index", "id", "order", "explanation", "description"})
_WORDS: Final = {
    "add": "+", "addition": "+", "plus": "+", "subtract": "-", "subtraction": "-", "minus": "-",
    "multiply": "*", "multiplication": "*", "times": "*", "divide": "/", "division": "/",
    "\u00d7": "*", "\u00f7": "/", "\u2212": "-",
}  # fmt: skip
_NUMBER: Final = re.compile(r"\s*-?\d+(?:\.\d+|/\d+|(?:,\d{3})+)?\s*[.!\u2705\u2713]*\s*")
_OPERATOR: Final = re.compile(r"\s*(?:[-+*/xX]|[*]\s?)\s*")
_OPERATION: Final = re.compile(r"[\d)]\s{0,3}[-+*/xX(]\s{0,3}[\d(]|[a-z]{3}[^|]*\d", re.IGNORECASE)
_DECODER: Final = json.JSONDecoder()


def with_objects_read(lines: Sequence[AnswerLine]) -> list[AnswerLine]:
    """Return the lines with the texts of JSON objects in place of these.

    Lists that are not of texts, such as the states ``[[4, 5], [9]]``, stay as they are.
    """
    found = list[AnswerLine]()
    at = tried = 0
    while at < len(lines):
        line = lines[at]
        if tried < _MOST and _START.match(line.text):
            tried += 1
            value, taken = _decoded(lines[at:])
            if taken:
                texts = (text for each in _texts(value) for text in each.splitlines())
                found += [line._replace(text=text.strip()) for text in texts if text.strip()]
                at += taken
                continue
        found.append(line)
        at += 1
    return found


def with_rows_read(lines: Sequence[AnswerLine]) -> list[AnswerLine]:
    """Return the lines with the operations of rows of tables in place of these."""
    return [line._replace(text=_row(line.text)) if "|" in line.text else line for line in lines]


def _decoded(lines: Sequence[AnswerLine]) -> tuple[Any, int]:
    """Return the JSON value that starts here, and how many lines it takes; 0 without one."""
    text = "\n".join(line.text for line in lines)
    if _depth(text) > _DEEPEST:
        return None, 0
    try:
        value, end = _DECODER.raw_decode(text)
    except ValueError:
        return None, 0
    rest = text[end:].partition("\n")[0]
    texts = list(_texts(value))
    if rest.strip(" `.;,") or not texts:
        return None, 0
    return value, text[:end].count("\n") + 1


def _depth(text: str) -> int:
    """Return the deepest nesting of brackets."""
    depth = deepest = 0
    for match in re.finditer(r"[\[\]{}]", text):
        depth += 1 if match[0] in "[{" else -1
        deepest = max(deepest, depth)
        if deepest > _DEEPEST:
            break
    return deepest


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a JSON value; of an object with an answer, only the answer."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, dict):
        named = {str(name).lower(): each for name, each in value.items()}
        for name in _ANSWERS:
            if isinstance(named.get(name), str) and not _NUMBER.fullmatch(named[name]):
                yield f"<answer>{named[name]}</answer>"
                return
        if len(named) == 1 and isinstance(answer := named.get("answer"), str):
            yield f"<answer>{answer}</answer>"
            return
        operation = _operation(named)
        if operation is not None:
            yield operation
            return
        claim = next((named[name] for name in _VALUES if _is_value(named.get(name))), None)
        texts = [text for each in value.values() for text in _texts(each)]
        # A value such as 2/3 is no operation.
        operations = [text for text in texts if text != claim and _OPERATION.search(text)]
        if claim is not None and len(operations) == 1 and "=" not in operations[0]:
            texts = [f"{operations[0]} = {claim}"]
        yield from texts


def _operation(named: dict[str, Any]) -> str | None:
    """Return the operation of an object with two numbers and an operator; None for others."""
    others = {name: each for name, each in named.items() if name not in {*_VALUES, *_LABELS}}
    signs = [each for each in others.values() if isinstance(each, str) and _is_sign(each)]
    given = [e for each in others.values() for e in (each if isinstance(each, list) else [each])]
    numbers = [each for each in given if _is_value(each)]
    if len(signs) != 1 or len(numbers) != 2 or len(given) != 3:
        return None
    claim = next((named[name] for name in _VALUES if _is_value(named.get(name))), None)
    first, second = (f"({each})" if str(each).startswith("-") else each for each in numbers)
    text = f"{first} {_WORDS.get(signs[0].strip().lower(), signs[0])} {second}"
    return text if claim is None else f"{text} = {claim}"


def _is_sign(text: str) -> bool:
    return _OPERATOR.fullmatch(text) is not None or text.strip().lower() in _WORDS


def _is_value(value: object) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | float) or (
        isinstance(value, str) and _NUMBER.fullmatch(value) is not None
    )


def _row(text: str) -> str:
    """Return a row of a table: its cells, and a cell's number as the value of an operation."""
    cells = [cell.strip(" *`_") or cell.strip() for cell in text.strip("| ").split("|")]
    parts, at = list[str](), 0
    while at < len(cells):
        cell = cells[at]
        three = cells[at : at + 3]
        forms = (_NUMBER, _OPERATOR, _NUMBER)
        if len(three) == 3 and all(map(re.Pattern.fullmatch, forms, three)):
            cell, at = " ".join(three), at + 2
        follows = cells[at + 1] if at + 1 < len(cells) else ""
        if "=" not in cell and _OPERATION.search(cell) and _NUMBER.fullmatch(follows):
            cell, at = f"{cell} = {follows}", at + 1
        elif follows == "=" and _OPERATION.search(cell) and at + 2 < len(cells):
            cell, at = f"{cell} = {cells[at + 2]}", at + 2
        parts.append(cell)
        at += 1
    return " ; ".join(parts)
