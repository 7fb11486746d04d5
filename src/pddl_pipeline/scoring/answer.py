"""One outside answer, as a file or a program gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody answered to one instance."""

    id: str | None = None
    """Of the instance."""
    text: str = ""
    """Empty where the model gave none."""
    attempt: int | None = None
    """Counted where the file does not tell it."""
    model: str | None = None
    """Who answered, where the file tells it."""
    published: bool | None = None
    """Whether the file's own authors found it right, where the file tells it."""
    published_strict: bool = False
    """Whether they judged the text as a plan file, as `Score.strict` does."""
    expanded: int | None = None
    """How many nodes a search expanded for it, where the file tells it."""
    fault: str | None = None
    """Why this is no answer to an instance."""
    place: str = ""
    """Where it was read: the file, and the line or the item of a list."""


def answer_from(given: Mapping[str, Any] | object) -> Answer:
    """Return the answer of an object with ``id`` and ``answer``; what is wrong is its fault.

    An ``answer`` of null is an empty one: the model gave none. An ``id`` may be a whole number.
    """
    if not isinstance(given, Mapping):
        return Answer(fault="found no object, expected one with 'id' and 'answer'")
    name, text = given.get("id"), given.get("answer", given)
    name = str(name) if type(name) is int else name
    if not isinstance(name, str):
        return Answer(fault="found no 'id', expected a text or a whole number")
    if text is not None and not isinstance(text, str):
        return Answer(name, fault="found no 'answer' of text")
    attempt, model, expanded = (given.get(name) for name in ("attempt", "model", "expanded"))
    if attempt is not None and (type(attempt) is not int or attempt < 1):
        told = f"field 'attempt': found {repr(attempt)[:_SHOWN]}, expected a whole number from 1 on"
        return Answer(name, fault=told)
    return Answer(
        name,
        text or "",
        attempt,
        model if isinstance(model, str) else None,
        expanded=expanded if type(expanded) is int and expanded >= 0 else None,
    )
