"""Answers of models: the fields that hold them, and answers from objects in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError, check_type
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.text import counted
from pddl_pipeline.translators.datasets import Data, as_row, is_frame, plain_rows
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.rows import as_whole, field_of, plain

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
    "choices",
)  # fmt: skip
"""Names of fields with several answers; they count if no name of ANSWERS is there."""
_CHATS: Final = ("messages", "conversations", "message", "output_text", "candidates", "contents")
"""Likewise, names of fields with messages, if no name of `_LISTS` is there."""
_SAMPLES: Final = ("filtered_resps", "resps")
"""Fields of lm-eval's samples, of which the first counts: what its task takes for the answer."""
_WRAPPERS: Final = ("body", "choices", "candidates", "output", "output_text")
"""Fields that hold what a model said, in the response of an interface."""
_PUBLISHED: Final = ("llm_correct", "is_correct", "correct")
"""Fields with the verdict that the authors of the answers published."""
_USED: Final = frozenset({"attempt", "model", *_PUBLISHED})
_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}
_TEXTS: Final = frozenset({"text", "output_text"})
"""Types of the parts of a message that are its text. Others are thinking, calls or refusals."""
_ROLES: Final = ("role", "from", "type")
"""Fields with the writer of a message: of OpenAI, ShareGPT, LangChain."""
_WRITERS: Final = frozenset({"message", "human", "ai", "system", "tool"})
"""Types of messages; other types are those of parts."""
_MODELS: Final = frozenset({"assistant", "gpt", "model", "ai", "message"})
"""Names of the model in chat messages: of OpenAI, ShareGPT, Gemini, LangChain, Responses."""
_CONTENTS: Final = ("content", "value", "parts", "text", "generated_text", "data")
"""Fields of the text: of messages (ShareGPT, Gemini), completions, pipelines, LangChain."""
_CHOICE: Final = frozenset({"message", *_CONTENTS})
"""Fields of the choices of chat completions, and of completions."""
_SHOWN: Final = 160


class AnswerFields(NamedTuple):
    """The names of the fields with the id and the answer."""

    id: str = IDS[0]
    answer: str = ANSWERS[0]


OWN_FIELDS: Final = AnswerFields()
"""The fields of this project's own format."""


class NamedFields(NamedTuple):
    """The fields that the user named, and what names them, for errors."""

    id: str | None = None
    """The field with the id; recognised if None."""
    answer: str | None = None
    """Likewise, the field with the answer."""
    options: tuple[str, str] = ("--column id=NAME", "--column answer=NAME")
    alone: bool = False
    """Whether it is an error if ``answer`` stands beside another known name: in a row with a
    problem, it may be the reference."""

    def check(self) -> None:
        """Check the types of the names."""
        for option, name in zip(self.options, self, strict=False):
            check_type(option.strip("="), name, str | None, "the name of a field, or None")


UNNAMED: Final = NamedFields()


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
    row: Mapping[str, Any] = field(default_factory=dict, hash=False)
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
    found = _said(found) if isinstance(found, Mapping) else found
    if not isinstance(given, Mapping) or not isinstance(found, (list, tuple)):
        return [answer_from(given, fields)]
    try:
        texts = _texts(found, fields.answer, numbered=given.get("attempt") is not None)
    except FieldFault as fault:
        alone = answer_from({**given, fields.answer: None}, fields)
        return [alone if alone.fault else replace(alone, fault=str(fault))]
    return [answer_from({**given, fields.answer: text}, fields) for text in texts]


def _said(given: Any) -> Any:
    """Return the choices, messages or parts in a response of an interface, or in one message."""
    # The response in a line of OpenAI's batches: `{"body": {"choices": [{"message": …}]}}`.
    while isinstance(given, Mapping):
        name = next((wrapper for wrapper in _WRAPPERS if wrapper in given), None)
        given = [given] if name is None else given[name]
    return [given] if isinstance(given, str) else given


def _is_message(given: Any) -> bool:
    return isinstance(given, Mapping) and (
        "role" in given or "from" in given or str(given.get("type")) in _WRITERS
    )


def _is_part(given: Any) -> bool:
    """Return whether a value is a part of a message, or stands beside the messages of OpenAI."""
    return isinstance(given, Mapping) and isinstance(given.get("type"), str)


def _texts(given: Sequence[Any], field: str, *, numbered: bool) -> list[str | None]:
    if given and all(_is_message(each) or _is_part(each) for each in given):
        # [{"role": "user", "content": …}, {"role": "assistant", "content": …}]
        last: Any = next(filter(_is_message, reversed(given)), None)
        if last is None:
            return [message_text([*given])]
        role = field_of(last, next(filter(last.__contains__, _ROLES)), str)
        if role not in _MODELS:
            reason = f"found '{role[:40]}' in the last message, expected 'assistant'"
            raise FieldFault("role", reason)
        return [message_text(_content(last))]
    if given and all(isinstance(each, (list, tuple)) for each in given):  # of TRL and lm-eval
        return [text for each in given for text in _texts(each, field, numbered=numbered)]
    if given and all(isinstance(each, Mapping) and _CHOICE & each.keys() for each in given):
        # [{"message": {"content": …}}, …] of chat completions, or [{"text": …}, …]
        given = [message_text(_content(each.get("message", each))) for each in given]
    texts = [each for each in given if each is None or isinstance(each, str)]
    if not given or len(texts) < len(given):
        what = "an empty list" if not given else "a list of something else"
        raise FieldFault(field, f"found {what}, expected a text, or a list of texts or messages")
    if numbered and len(texts) > 1:
        raise FieldFault("attempt", f"found beside a list of {counted(len(texts), 'answer')}")
    return texts


def completion_text(completion: Any) -> str:
    """Return the text of a model's completion; of messages or choices, that of the last one."""
    found = _said(completion)
    last = found[-1] if found and isinstance(found, (list, tuple)) else found or ""
    if isinstance(last, str):
        return last
    if _is_part(last) and not _is_message(last):
        return message_text([*found])
    if not isinstance(last, Mapping):
        raise FieldFault("completion", f"found {type(last).__name__}, expected a text or messages")
    return message_text(_content(last.get("message", last)))


def _content(said: Any) -> Any:
    """Return the content of a message or a completion; None if there is none."""
    found = next((said[name] for name in _CONTENTS if name in (said or ())), None)
    # Gemini's candidates have {"content": {"parts": […]}}.
    is_nested = isinstance(found, Mapping) and not found.keys().isdisjoint(_CONTENTS)
    return _content(found) if is_nested else found


def message_text(content: Any) -> str:
    """Return the text in the content of a chat message; "" if the model wrote none.

    Args:
        content: a text, null, or a list of parts, each with a ``type`` or only a ``text``.

    Raises:
        FieldFault: the content is none of these.
    """
    if isinstance(content, str | None):
        return content or ""
    if not isinstance(content, list):
        raise FieldFault("content", "found no text, expected a text or a list of parts")
    parts = (part for part in content if _type_of(part) in _TEXTS)
    return "".join(field_of(part, "text", str) for part in parts)


def _type_of(part: Any) -> str:
    """Return the type of a part of a message; Gemini's have none, but may be its thoughts."""
    if isinstance(part, Mapping) and "text" in part and "type" not in part:
        return "thought" if part.get("thought") else "text"
    return field_of(part, "type", str)


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
    whole = None if isinstance(name, str) else as_whole(name)  # pandas makes 1 beside None 1.0
    name = name if whole is None else str(whole)
    if not isinstance(text, str | Mapping) and plain(text) is None:
        text = None  # such as NaN in a column of answers
    if not isinstance(name, str):
        return Answer(fault=f"found no '{fields.id}', expected a text or a whole number")
    if text is not None and not isinstance(text, str):
        return Answer(name, fault=f"found no '{fields.answer}' of text")
    # The cells of a table are texts.
    attempt, expanded = (
        int(cell) if isinstance(cell, str) and cell.isascii() and cell.isdigit() else cell
        for cell in map(given.get, ("attempt", "expanded"))
    )
    model = given.get("model")
    # By the type itself, since True is an `int`.
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


def recognised(found: Collection[str], named: NamedFields = UNNAMED) -> AnswerFields | None:
    """Return the fields of a row with the id and the answer, or None if there are none.

    Args:
        found: the names of the row's fields.
        named: the fields that the user named.

    Raises:
        InputError: several fields have a known name.
    """
    both = _candidates(found, named)
    if not all(both):
        return None
    for names, option in zip(both, named.options, strict=True):
        if len(names) > 1:
            listed = " and ".join(f"'{name}'" for name in names)
            advice = f"choose one with {option}" if option else "expected one of them"
            raise InputError(f"found the fields {listed}; {advice}")
    return AnswerFields(both[0][0], both[1][0])


def misfit(found: Collection[str], named: NamedFields = UNNAMED) -> str:
    """Return why no row is an answer: which of the two fields is not among those of the rows.

    Args:
        found: the names of the fields of all rows.
        named: the fields that the user named.
    """
    wanted = (named.id or IDS[0], named.answer or ANSWERS[0])
    known = _candidates(found, named)
    missing = [name for name, each in zip(wanted, known, strict=True) if not each]
    unnamed = zip(named.options, named[:2], known, strict=True)
    options = " and ".join(option for option, name, each in unnamed if not each and not name)
    names = missing or wanted
    listed = " and ".join(f"'{name}'" for name in names)
    others = ", ".join(name for name in found if name != named.id)[:_SHOWN]
    shown = f", found the fields {others}" if others else ""
    near = next(filter(None, (did_you_mean(name, found) for name in missing)), "")
    advice = near or (
        f"; {options} name{' them' if ' and ' in options else 's it'}" * bool(options)
    )
    return f"no row has the field{'s' if len(names) > 1 else ''} {listed}{shown}{advice}"


def _candidates(found: Collection[str], named: NamedFields) -> list[list[str]]:
    """Return the fields that may hold the id, and those that may hold the answer."""
    kinds: tuple[tuple[str, ...], ...] = (ANSWERS, _LISTS, _CHATS)
    answers = next((names for names in kinds if not {*names}.isdisjoint(found)), ANSWERS)
    if named.alone:  # beside a problem, `answer` may be the reference
        answers = tuple(chain(*kinds))
    answers = next(((name,) for name in _SAMPLES if name in found), answers)
    both = []
    for asked, known in ((named.id, IDS), (named.answer, answers)):
        names = [name for name in ((asked,) if asked else known) if name in found]
        # The project's own name wins, except beside a problem, where it may be the reference.
        both.append(names[:1] if known[0] in names and not named.alone else names)
    return both


def memory_answers(
    answers: Data | Iterable[Answer], named: NamedFields = UNNAMED
) -> Iterator[Answer]:
    """Yield the answers in order. The first row that has both fields decides their names.

    Args:
        answers: objects, a data frame or ready answers.
        named: the fields that the user named.

    Raises:
        InputError: there are rows, and none has the fields; or it is not clear which they are.
        TypeError: the answers are a text or no iterable.
    """
    if isinstance(answers, str | Path | Instance) or not (
        is_frame(answers) or hasattr(answers, "__iter__")
    ):
        found = type(answers).__name__
        raise TypeError(f"answers: found {found}, expected objects with id and answer, or a frame")
    named.check()
    rows = [answers] if isinstance(answers, Mapping) else answers
    rest: Iterator[Any] = map(as_row, plain_rows(rows) if is_frame(rows) else rows)
    first: list[Any] = []
    fields = first_fields(rest, first, named)
    for given in chain(first, rest):
        if isinstance(given, Answer):
            yield given
        else:
            yield from answers_from(given, fields)


def first_fields(rest: Iterator[Any], first: list[Any], named: NamedFields) -> AnswerFields:
    """Return the fields of rows. Move the rows that this takes to ``first``.

    Raises:
        InputError: as `memory_answers`.
    """
    found: dict[str, None] = {}
    for given in rest:
        first.append(given)
        if isinstance(given, Answer):  # others beside it have the project's own fields
            return AnswerFields(named.id or OWN_FIELDS.id, named.answer or OWN_FIELDS.answer)
        if isinstance(given, Mapping):
            fields = recognised(given.keys(), named)
            if fields is not None:
                return fields
            found.update(dict.fromkeys(map(str, given)))
    if first:
        raise InputError(misfit(found, named))
    return OWN_FIELDS
