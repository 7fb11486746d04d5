"""Answers of models: the fields that hold them, and answers from objects in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.text import counted
from pddl_pipeline.translators.datasets import is_frame, plain_rows
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.rows import field_of

IDS: Final = (
    "id", "instance_id", "task_id", "problem_id", "question_id", "sample_id", "example_id",
    "custom_id", "doc_id", "uid", "instance", "idx", "index", "key", "name",
)  # fmt: skip
ANSWERS: Final = (
    "answer", "response", "output", "completion", "prediction", "generation", "generated_text",
    "model_output", "model_answer", "model_response", "llm_response", "plan", "text", "content",
)  # fmt: skip
"""The first name of each list is this project's own: it counts also beside others."""
_LISTS: Final = (
    "answers", "responses", "outputs", "completions", "predictions", "generations", "samples",
)  # fmt: skip
"""Names of fields with several answers; they count if no name of ANSWERS is there."""
_PUBLISHED: Final = ("llm_correct", "is_correct", "correct")
"""Fields with the verdict that the authors of the answers published."""
_USED: Final = frozenset({"attempt", "model", *_PUBLISHED})
_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}
_TEXTS: Final = frozenset({"text", "output_text"})
"""Types of the parts of a message that are its text. Others are thinking, calls or refusals."""
_SHOWN: Final = 160


class AnswerFields(NamedTuple):
    """The names of the fields with the id and the answer."""

    id: str = IDS[0]
    answer: str = ANSWERS[0]


OWN_FIELDS: Final = AnswerFields()
"""The fields of this project's own format."""


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
        others = self.row.items() if self.used else ()
        # A copy of the text under a second name is no news, and may be long.
        return {
            str(name): value
            for name, value in others
            if name not in self.used and not (isinstance(value, str) and value == self.text != "")
        }


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
        last: Any = given[-1]
        role = field_of(last, "role", str)
        if role != "assistant":
            reason = f"found '{role[:40]}' in the last message, expected 'assistant'"
            raise FieldFault("role", reason)
        return [message_text(last.get("content"))]
    texts = [each for each in given if each is None or isinstance(each, str)]
    if not given or len(texts) < len(given):
        what = "an empty list" if not given else "a list of something else"
        raise FieldFault(field, f"found {what}, expected a text, or a list of texts or messages")
    if numbered and len(texts) > 1:
        raise FieldFault("attempt", f"found beside a list of {counted(len(texts), 'answer')}")
    return texts


def message_text(content: Any) -> str:
    """Return the text in the content of a chat message; "" if the model wrote none.

    Args:
        content: a text, null, or a list of parts with a ``type``.

    Raises:
        FieldFault: the content is none of these.
    """
    if isinstance(content, str | None):
        return content or ""
    if not isinstance(content, list):
        raise FieldFault("content", "found no text, expected a text or a list of parts")
    parts = (part for part in content if field_of(part, "type", str) in _TEXTS)
    return "".join(field_of(part, "text", str) for part in parts)


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
        found = f"found {repr(attempt)[:40]}, expected a whole number from 1 on"
        return Answer(name, fault=f"field 'attempt': {found}")
    judged = (_TRUTH.get(str(given[name]).lower()) for name in _PUBLISHED if name in given)
    return Answer(
        name,
        text or "",
        attempt,
        model if isinstance(model, str) else None,
        next((verdict for verdict in judged if verdict is not None), None),
        expanded=expanded if type(expanded) is int and expanded >= 0 else None,
        row=given,
        used=_USED.union(fields),
    )


def recognised(
    found: Collection[str], id_field: str | None = None, answer_field: str | None = None,
    *, options: tuple[str, str] = ("--column id=NAME", "--column answer=NAME"),
) -> AnswerFields | None:  # fmt: skip
    """Return the fields of a row with the id and the answer, or None if there are none.

    Args:
        found: the names of the row's fields.
        id_field: the name of the field with the id; recognised if None.
        answer_field: likewise, of the field with the answer.
        options: what the user sets these two with, for the error.

    Raises:
        InputError: several fields have a known name.
    """
    both = _candidates(found, id_field, answer_field)
    if not all(both):
        return None
    for names, option in zip(both, options, strict=True):
        if len(names) > 1:
            listed = " and ".join(f"'{name}'" for name in names)
            raise InputError(f"found the fields {listed}; choose one with {option}")
    return AnswerFields(both[0][0], both[1][0])


def misfit(
    found: Collection[str], id_field: str | None = None, answer_field: str | None = None
) -> str:
    """Return why no row is an answer: which of the two fields is not among those of the rows.

    Args:
        found: the names of the fields of all rows.
        id_field: see `recognised`.
        answer_field: see `recognised`.
    """
    wanted = (id_field or IDS[0], answer_field or ANSWERS[0])
    both = zip(wanted, _candidates(found, id_field, answer_field), strict=True)
    missing = [name for name, known in both if not known]
    names = missing or wanted
    listed = " and ".join(f"'{name}'" for name in names)
    shown = f", found the fields {', '.join(found)[:_SHOWN]}" if found else ""
    near = next(filter(None, (did_you_mean(name, found) for name in missing)), "")
    return f"no row has the field{'s' if len(names) > 1 else ''} {listed}{shown}{near}"


def _candidates(
    found: Collection[str], id_field: str | None, answer_field: str | None
) -> list[list[str]]:
    """Return the fields that may hold the id, and those that may hold the answer."""
    kinds = (ANSWERS, _LISTS, ("messages",))
    answers = next((names for names in kinds if not {*names}.isdisjoint(found)), ANSWERS)
    both = []
    for asked, known in ((id_field, IDS), (answer_field, answers)):
        names = [name for name in ((asked,) if asked else known) if name in found]
        both.append(names[:1] if known[0] in names else names)
    return both


def memory_answers(
    answers: Iterable[Mapping[str, Any] | Answer],
    id_field: str | None = None,
    answer_field: str | None = None,
) -> Iterator[Answer]:
    """Yield the answers in order. The first row that has both fields decides their names.

    Args:
        answers: objects, a data frame or ready answers.
        id_field: the name of the field with the id; recognised if None.
        answer_field: likewise, of the field with the answer.

    Raises:
        InputError: there are rows, and none has the fields; or it is not clear which they are.
    """
    rest: Iterator[Any] = iter(plain_rows(answers) if is_frame(answers) else answers)
    first: list[Any] = []
    fields = _fields(rest, first, id_field, answer_field)
    for given in chain(first, rest):
        if isinstance(given, Answer):
            yield given
        else:
            yield from answers_from(given, fields)


def _fields(
    rest: Iterator[Any], first: list[Any], id_field: str | None, answer_field: str | None
) -> AnswerFields:
    """Return the fields of the rows. Move the rows that this takes to ``first``."""
    found: dict[str, None] = {}
    for given in rest:
        first.append(given)
        if isinstance(given, Answer):  # others beside it have the project's own fields
            return AnswerFields(id_field or OWN_FIELDS.id, answer_field or OWN_FIELDS.answer)
        if isinstance(given, Mapping):
            keywords = "id_field=", "answer_field="
            fields = recognised(given.keys(), id_field, answer_field, options=keywords)
            if fields is not None:
                return fields
            found.update(dict.fromkeys(map(str, given)))
    if first:
        raise InputError(misfit(found, id_field, answer_field))
    return OWN_FIELDS


def column_answers(ids: Iterable[object], cells: Iterable[object], column: str) -> Iterator[Answer]:
    """Yield the answers in a column of a data frame, one for each row.

    Args:
        ids: the ids of the instances.
        cells: the cells of the column.
        column: the name of the column.

    Raises:
        InputError: a cell has several answers.
    """
    for name, cell in zip(ids, cells, strict=True):
        first, *others = answers_from({"id": name, "answer": cell})
        if others:
            raise InputError(
                f"column '{column}': found {len(others) + 1} answers in a row, expected one; "
                f"df.explode('{column}') gives each its row"
            )
        yield first
