"""Writes the steps in JSON objects as lines: ``{"action": "stack", "args": ["a", "b"]}``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeGuard

from pddl_pipeline.translators.answers.lines import AnswerLine
from pddl_pipeline.translators.answers.named_arguments import Argument, NamedArguments, open_names
from pddl_pipeline.translators.answers.step_reader import Mistake

_MOST: Final = 20
"""Maximum number of JSON values in an answer."""
_DEEPEST: Final = 40
_PLANS: Final = ("plan", "steps", "actions", "solution", "answer")
ACTIONS: Final = ("action", "name", "operator", "act", "command", "action_name", "function", "op")
ARGUMENTS: Final = (
    "args", "arguments", "parameters", "params", "objects", "parameter", "argument", "inputs",
)  # fmt: skip
REMARKS: Final = frozenset({
    "step", "index", "id", "number", "explanation", "reason", "reasoning", "description", "effect",
    "effects", "result", "comment", "note", "notes", "thought", "state", "cost", "time", "order",
    "precondition", "preconditions", "type",
})  # fmt: skip
_COUNT: Final = re.compile(r"(?:step|action|move|s|a)?[ _-]?\d{1,4}")
_DECODER: Final = json.JSONDecoder()


class ObjectLines(NamedTuple):
    """The lines of an answer, with lines of steps in place of JSON objects."""

    lines: list[AnswerLine]
    rest: list[AnswerLine]
    """The other lines of these objects."""
    unclear: dict[int, Mistake]
    """By number of the line, the mistake in steps whose names leave open which object is which."""


class _Text(NamedTuple):
    """The text of a step, and the word of the JSON value by which its line is found."""

    text: str | None
    """None if the names of the arguments leave open which object is which."""
    word: str


def with_objects_read(lines: list[AnswerLine], named: NamedArguments) -> ObjectLines:
    """Return the lines of an answer with a line for each step in a JSON object.

    Lists of texts stay as they are, since each of their lines can be read alone.
    """
    found, rest, unclear = list[AnswerLine](), list[AnswerLine](), dict[int, Mistake]()
    at = tried = 0
    while at < len(lines):
        if tried < _MOST and lines[at].text.startswith(("{", "[")):
            tried += 1
            value, count = _decoded(lines[at:])
            texts = list(_steps(value, named))
            if texts:
                written = _written(lines[at : at + count], texts, unclear)
                found += written
                numbers = {line.number for line in written}
                rest += [line for line in lines[at : at + count] if line.number not in numbers]
                at += count
                continue
        found.append(lines[at])
        at += 1
    return ObjectLines(found, rest, unclear)


def _decoded(lines: Sequence[AnswerLine]) -> tuple[Any, int]:
    """Return the JSON value that starts here, and how many lines it takes."""
    text = "\n".join(line.text for line in lines)
    if max(text.count("{"), text.count("[")) > len(text) // 2:
        return None, 0
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None, 0
    return value, text[:end].count("\n") + 1


def _steps(value: object, known: NamedArguments, depth: int = 0) -> Iterator[_Text]:
    """Yield the steps of a JSON value that has objects with an action."""
    if _is_call(value, known):
        yield _Text(" ".join(value), value[0])
    elif isinstance(value, list) and depth < _DEEPEST:
        for each in value:
            yield from _steps(each, known, depth + 1)
    elif isinstance(value, dict) and depth < _DEEPEST:
        named = {str(name).lower(): each for name, each in value.items()}
        action = next((named[name] for name in ACTIONS if isinstance(named.get(name), str)), None)
        if action is not None:
            yield _Text(_text(action, _arguments(named, action), known), action)
            return
        calls = [(name, each) for name, each in named.items() if known.is_action(name)]
        yield from (_Text(_text(name, _objects(each), known), name) for name, each in calls)
        if not calls:
            yield from _inside(named, known, depth)


def _inside(named: Mapping[str, object], known: NamedArguments, depth: int) -> Iterator[_Text]:
    """Yield the steps in the fields of a JSON object that is no step itself."""
    plans = [named[name] for name in _PLANS if _may_be_plan(named.get(name))]
    for each in plans[:1] or named.values():
        yield from _steps(each, known, depth + 1)
    if plans and isinstance(plans[0], str):
        yield from (_Text(each, each) for each in map(str.strip, plans[0].split("\n")) if each)
    elif not plans and all(map(_COUNT.fullmatch, named)):
        yield from (_Text(each, each) for each in named.values() if isinstance(each, str))


def _is_call(value: object, known: NamedArguments) -> TypeGuard[list[str]]:
    """Return whether a value is a list of an action and its arguments."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(each, str) for each in value) and known.is_action(value[0])


def _may_be_plan(value: object) -> bool:
    return isinstance(value, list | dict) or (isinstance(value, str) and "\n" in value)


def _text(action: str, arguments: Sequence[Argument], known: NamedArguments) -> str | None:
    """Return the text of a step; the names of its arguments decide their order."""
    values = [value for _, value in arguments]
    if len(values) > 1 and all(name for name, _ in arguments) and known.is_action(action):
        return known.written(action, arguments)
    return " ".join((action, *values))


def _arguments(named: Mapping[str, object], action: str) -> list[Argument]:
    """Return the objects of a step with their names, if any; none if its action is a sentence."""
    if len(action.split()) > 2:
        return []
    given = next((named[name] for name in ARGUMENTS if named.get(name) is not None), None)
    if given is None:
        given = {
            name: each for name, each in named.items()
            if name not in REMARKS and name not in ACTIONS
        }  # fmt: skip
    return _objects(given)


def _objects(given: object) -> list[Argument]:
    """Return the objects in a value of JSON, with their names if it has any."""
    if isinstance(given, str):
        return [("", given)]
    if isinstance(given, dict):
        return [(str(name), each) for name, each in given.items() if isinstance(each, str)]
    values = given if isinstance(given, Iterable) else ()
    return [("", each) for each in values if isinstance(each, str)]


def _written(
    lines: Sequence[AnswerLine], texts: Sequence[_Text], unclear: dict[int, Mistake]
) -> list[AnswerLine]:
    """Return the lines of a JSON value that have a step, each where its action stands.

    Add the mistakes of steps without a text to `unclear`.
    """
    found: dict[int, list[str]] = {}
    at = position = 0
    for text, word in texts:
        place = lines[at].text.find(word, position)
        while place < 0 and at + 1 < len(lines):
            at += 1
            place = lines[at].text.find(word)
        position = place + len(word) if place >= 0 else len(lines[at].text)
        if text is None:
            unclear.setdefault(lines[at].number, open_names(lines[at]))
        found.setdefault(at, []).append(text or word)
    return [lines[at]._replace(text=f"- {'; '.join(each)}") for at, each in found.items()]
