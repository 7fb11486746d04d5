"""An external answer, as a file or a program provides it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to one instance."""

    id: str | None = None
    """Id of the instance."""
    text: str = ""
    """Empty if the model did not answer."""
    attempt: int | None = None
    """Number of the attempt; None if the file does not have it, then attempts are counted."""
    model: str | None = None
    """Name of the model; None if the file does not have it."""
    published: bool | None = None
    """Whether the file's authors judged the answer correct; None if the file does not say."""
    published_strict: bool = False
    """Whether the authors judged the text as a plan file, as `Score.strict` does."""
    expanded: int | None = None
    """Number of nodes that a search expanded for it; None if the file does not have it."""
    fault: str | None = None
    """Why this is not an answer to an instance; None if it is one."""
    place: str = ""
    """Origin: the file, and the line or the item of a list."""


def answer_from(given: Mapping[str, Any] | object) -> Answer:
    """Return the answer of an object with ``id`` and ``answer``; `Answer.fault` holds any error.

    An ``answer`` of null means that the model did not answer. An ``id`` may be a whole number.
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
        found = f"found {repr(attempt)[:_SHOWN]}, expected a whole number from 1 on"
        return Answer(name, fault=f"field 'attempt': {found}")
    return Answer(
        name,
        text or "",
        attempt,
        model if isinstance(model, str) else None,
        expanded=expanded if type(expanded) is int and expanded >= 0 else None,
    )
