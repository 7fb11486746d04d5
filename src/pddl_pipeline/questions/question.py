"""A question with its exact answer, and what marking an answer gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from pddl_pipeline.model.errors import PipelineError


class NoQuestion(PipelineError):
    """A question cannot be made, or not be answered; says why."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.final = final
        """Whether other draws would not help: the instance is too large."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question about one instance; it can be marked without the instance."""

    id: str
    instance: str
    """Id of the instance."""
    domain: str
    size: int
    """Of the instance: what reports group by."""
    kind: str
    steps: int
    """How many actions it is about, or how many led to its state."""
    seed: int | None
    """None where it was not made here."""
    prompt: str
    """All that a model is to be given: what is to be known of the domain, then the question."""
    question: str
    """The paper's template, filled in."""
    answer: Any
    """Exact; its form is the kind's own, see docs/questions.md."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What marking an answer needs besides; the kind's own."""

    def to_json(self) -> dict[str, Any]:
        """Return the object of a line."""
        return asdict(self)


_FIELDS: Final = {each.name: each.type for each in fields(Question)}
_TEXTS: Final = tuple(name for name, kind in _FIELDS.items() if kind == "str")


def question_from(given: Any) -> Question:
    """Return the question of an object that `Question.to_json` made.

    Raises:
        ValueError: it is none; says what was found.
    """
    if not isinstance(given, dict) or given.keys() != _FIELDS.keys():
        raise ValueError(f"found no question; expected an object with {', '.join(_FIELDS)}")
    for name in _TEXTS:
        if not isinstance(given[name], str):
            raise ValueError(f"field '{name}': expected a text")  # noqa: TRY004 -- input
    for name in ("size", "steps"):
        if type(given[name]) is not int:
            raise ValueError(f"field '{name}': expected a whole number")
    if not isinstance(given["details"], dict):
        raise ValueError("field 'details': expected an object")  # noqa: TRY004 -- input
    return Question(**given)


@dataclass(frozen=True, slots=True)
class Mark:
    """What an answer is worth."""

    correct: bool
    found: Any = None
    """What was read, as JSON; None where nothing was."""
    mistakes: tuple[str, ...] = ()
    """Kinds of mistake, without repetition; not disjoint."""
    reason: str | None = None
    """Why it is not correct."""


UNREADABLE: Final = "unreadable"
"""The mistake of an answer in which nothing was found that the question asks for."""


def unreadable(what: str) -> Mark:
    """Return the mark of an answer in which nothing was found."""
    return Mark(correct=False, mistakes=(UNREADABLE,), reason=f"found no {what}")
