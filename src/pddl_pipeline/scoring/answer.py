"""An external answer, as a file or a program provides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pddl_pipeline.scoring.answer_fields import OWN_FIELDS, PUBLISHED, AnswerFields
from pddl_pipeline.scoring.message_text import last_reply
from pddl_pipeline.translators.field_checks import FieldFault

_SHOWN: Final = 40
_USED: Final = frozenset({"attempt", "model", *PUBLISHED})
_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}


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
    row: Mapping[str, Any] = field(default_factory=dict)
    """All fields of the row, by name."""
    used: frozenset[str] = frozenset()
    """Names of the row's fields that have a meaning, in the project's own format."""

    @property
    def extra(self) -> dict[str, Any]:
        """The fields of a row of the project's own format without a meaning here, by name."""
        if not self.used:
            return {}
        others = {str(name): self.row[name] for name in self.row if name not in self.used}
        # A copy of the text under a second name is no news, and may be long.
        return {name: each for name, each in others.items() if not self._is_text(each)}

    def _is_text(self, value: object) -> bool:
        return isinstance(value, str) and value == self.text != ""


def answers_from(
    given: Mapping[str, Any] | object, fields: AnswerFields = OWN_FIELDS
) -> list[Answer]:
    """Return the answers of an object as `answer_from` does, also if its answer is a list.

    A list of texts, or of null for no answer, has one attempt each. A list of chat messages has the
    model's answer in the last one.

    Args:
        given: the object.
        fields: the names of its two fields.
    """
    found = given.get(fields.answer) if isinstance(given, Mapping) else None
    if not isinstance(given, Mapping) or not isinstance(found, (list, tuple)):
        return [answer_from(given, fields)]
    try:
        texts = _texts(found, fields.answer, numbered=given.get("attempt") is not None)
    except FieldFault as fault:
        alone = answer_from({**given, fields.answer: None}, fields)
        return [alone if alone.fault else replace(alone, fault=str(fault))]
    return [answer_from({**given, fields.answer: text}, fields) for text in texts]


def _texts(given: Sequence[object], field: str, *, numbered: bool) -> list[str | None]:
    if given and all(isinstance(each, Mapping) and "role" in each for each in given):
        return [last_reply(list(given))]
    texts = [each for each in given if each is None or isinstance(each, str)]
    if not given or len(texts) < len(given):
        what = "an empty list" if not given else "a list of something else"
        raise FieldFault(field, f"found {what}, expected a text, or a list of texts or messages")
    if numbered and len(texts) > 1:
        raise FieldFault("attempt", f"found beside a list of {len(texts)} answers")
    return texts


def answer_from(given: Mapping[str, Any] | object, fields: AnswerFields = OWN_FIELDS) -> Answer:
    """Return the answer of an object with ``id`` and ``answer``; `Answer.fault` holds any error.

    An ``answer`` of null means that the model did not answer. An ``id`` may be a whole number.

    Args:
        given: the object.
        fields: the names of its two fields.
    """
    if not isinstance(given, Mapping):
        expected = f"expected one with '{fields.id}' and '{fields.answer}'"
        return Answer(fault=f"found no object, {expected}")
    name, text = given.get(fields.id), given.get(fields.answer, given)
    name = str(name) if type(name) is int else name
    if not isinstance(name, str):
        return Answer(fault=f"found no '{fields.id}', expected a text or a whole number")
    if text is not None and not isinstance(text, str):
        return Answer(name, fault=f"found no '{fields.answer}' of text")
    attempt, model, expanded = (given.get(name) for name in ("attempt", "model", "expanded"))
    if attempt is not None and (type(attempt) is not int or attempt < 1):
        found = f"found {repr(attempt)[:_SHOWN]}, expected a whole number from 1 on"
        return Answer(name, fault=f"field 'attempt': {found}")
    return Answer(
        name,
        text or "",
        attempt,
        model if isinstance(model, str) else None,
        published_verdict(given),
        expanded=expanded if type(expanded) is int and expanded >= 0 else None,
        row=given,
        used=_USED.union(fields),
    )


def published_verdict(row: Mapping[str, Any]) -> bool | None:
    """Return the verdict that the authors of an answer published with it, or None."""
    found = (_TRUTH.get(str(row[name]).lower()) for name in PUBLISHED if name in row)
    return next((verdict for verdict in found if verdict is not None), None)
