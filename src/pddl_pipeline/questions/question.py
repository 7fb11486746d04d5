"""A question with its exact answer, and the mark of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from pddl_pipeline.model.errors import PipelineError


class NoQuestion(PipelineError):
    """Raised if a question cannot be made or answered; the message states the reason."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.final = final
        """Whether further draws would fail, too, because the instance is too large."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about an instance; answers can be marked without the instance."""

    id: str
    instance: str
    """The id of the instance."""
    domain: str
    size: int
    """The size of the instance, by which reports group."""
    kind: str
    steps: int
    """The number of actions that the question is about or that lead to its state."""
    seed: int | None
    """None for items of ACPBench."""
    prompt: str
    """The complete input for a model: the description of the domain, then the question."""
    question: str
    """The paper's template, filled in."""
    answer: Any
    """The exact answer; its format depends on the kind, see docs/questions.md."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Further data that the kind needs to mark an answer."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """The instance's own fields of its dataset; see `Instance.extra`."""

    def to_json(self) -> dict[str, Any]:
        """Return the object of a line; ``extra`` only if there are such fields."""
        line = asdict(self)
        if not self.extra:
            del line["extra"]
        return line


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of an answer."""

    correct: bool | None
    """None if that is not decided within the limits of search."""
    found: Any = None
    """The answer that was read, as JSON; None if none was."""
    mistakes: tuple[str, ...] = ()
    """The kinds of mistake, without repetition; they are not disjoint."""
    reason: str | None = None
    """The reason why the answer is not correct."""


UNREADABLE: Final = "unreadable"
"""The mistake of an answer without anything that the question asks for."""


def unreadable(what: str) -> Mark:
    """Return the mark of an answer that lacks what the question asks for."""
    return Mark(correct=False, mistakes=(UNREADABLE,), reason=f"found no {what}")


def right_if(correct: bool, found: Any, otherwise: str) -> Mark:  # noqa: FBT001 -- what it is about
    """Return the mark of an answer that is right, or that is wrong for a reason."""
    return Mark(correct, found, reason=None if correct else otherwise)
