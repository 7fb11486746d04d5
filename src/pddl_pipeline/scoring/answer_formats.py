"""The formats of answer files: rows of `FORMATS`, with what makes answers of a file's rows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.text import counted
from pddl_pipeline.scoring.answer import OWN_FIELDS, Answer, AnswerFields, answers_from
from pddl_pipeline.scoring.answer_rows import AnswerRow, answer_rows
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.rows import field_of

OWN: Final = "answers"
"""Name of the project's own format."""
_ENDING: Final = re.compile(r".*-(0|[1-9]\d{0,17})", re.DOTALL)
_PLANBENCH_TEXTS: Final = ("extracted_llm_plan", "llm_raw_response")
# OK, as a status of HTTP.
_DONE: Final = 200


class AnswerReading(NamedTuple):
    """How to read the rows of a file of answers."""

    raw: bool = False
    """Whether to judge PlanBench's ``llm_raw_response`` instead of ``extracted_llm_plan``."""
    fields: AnswerFields = OWN_FIELDS
    """The fields of the project's own format that hold the id and the answer."""
    ids: InstanceNumbers | None = None
    """The dataset's ids, by the number at the end of the id."""


class InstanceNumbers:
    """The ids of a dataset by the number at their end: PlanBench's 7 is ``instance-7``."""

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._ids: defaultdict[int, list[str]] = defaultdict(list)
        for name in ids:
            match = _ENDING.fullmatch(name)
            if match:
                self._ids[int(match[1])].append(name)

    def id_of(self, number: int) -> str:
        """Return the id of the instance with this number.

        Return ``instance-NUMBER`` if the dataset has that id, or no id that ends in this number;
        else the only id that ends in it.

        Raises:
            FieldFault: several ids end in this number.
        """
        usual, found = f"instance-{number}", self._ids.get(number, [])
        if usual in found or not found:
            return usual
        if len(found) > 1:
            reason = f"found {number}, which may be {found[0]} or {found[1]}"
            raise FieldFault("instance_id", reason)
        return found[0]


def _anthropic(value: Any, _: AnswerReading) -> list[Answer]:
    """Return the answer of a result of Anthropic's batch interface."""
    name, result = field_of(value, "custom_id", str), field_of(value, "result", dict)
    kind = field_of(result, "type", str)
    if kind != "succeeded":
        return [_failed(name, result, kind)]
    return _answers_of(value, name, field_of(result, "message", dict))


def _openai(value: Any, _: AnswerReading) -> list[Answer]:
    """Return the answers of a result of OpenAI's batch interface: its choices are attempts.

    The responses are those of chat completions, with ``choices``, or of the newer interface, with
    ``output``.
    """
    name = field_of(value, "custom_id", str)
    error, response = value.get("error"), value.get("response")
    if error is not None or not isinstance(response, dict):
        return [_failed(name, error, "no response")]
    status = response.get("status_code", _DONE)
    if status != _DONE:
        return [_failed(name, response.get("body"), f"status {status}")]
    return _answers_of(value, name, field_of(response, "body", dict))


def _answers_of(value: Any, name: str, said: dict[str, Any]) -> list[Answer]:
    """Return the answers in what an interface said, in a row of its batches."""
    given = {"id": name, "answer": said, "model": said.get("model")}
    return [replace(each, row=value, used=frozenset()) for each in answers_from(given)]


def _failed(name: str, error: Any, kind: str) -> Answer:
    """Return what stands for a request that failed, which is not a model's answer."""
    # Errors may be nested: {"error": {"error": {"message": …}}}.
    while isinstance(error, dict):
        error = error.get("error", error.get("message"))
    return Answer(name, fault=f"the request failed: {str(error or kind)[:200]}")


def _planbench(value: Any, reading: AnswerReading) -> list[Answer]:
    """Return the answer of a row of PlanBench's results.

    A row has ``instance_id``, the model's text in ``llm_raw_response``, the plan that PlanBench's
    parser extracted from it in ``extracted_llm_plan``, and VAL's verdict on that in
    ``llm_correct``. The extracted plan is a text or a list of steps.
    """
    number, name = field_of(value, "instance_id", int), _PLANBENCH_TEXTS[reading.raw]
    text = value.get(name, 0)
    if isinstance(text, list) and all(isinstance(step, str) for step in text):
        text = "\n".join(text)
    if not isinstance(text, str | None):
        raise FieldFault(name, f"found no text{', see --reading raw' if name not in value else ''}")
    published = value.get("llm_correct")
    # A table of rows has several tasks.
    model = " ".join(each for each in map(value.get, ("model", "task")) if isinstance(each, str))
    return [
        Answer(
            (reading.ids or InstanceNumbers()).id_of(number),
            text or "",
            model=model or None,
            published=published if isinstance(published, bool) else None,
            published_strict=not reading.raw,
            row=value,
        )
    ]


def _planbench_rows(path: Path) -> Iterator[AnswerRow]:
    """Yield rows. Rows of a second domain are faults: its instances have the same numbers."""
    first = None
    for row in answer_rows(path):
        domain = row.value.get("domain") if isinstance(row.value, dict) else None
        first = first or domain
        if domain == first or row.fault is not None:
            yield row
        else:
            message = f"found a row of {domain} after rows of {first}; score each domain separately"
            yield AnswerRow(row.place, fault=message)


def _tree_of_thoughts(value: Any, _: AnswerReading) -> list[Answer]:
    """Return the answers of a row of a log of Tree of Thoughts on the 24 game.

    ``idx`` counts the rows of 24.csv from 0. Verdicts are in ``infos`` as ``{"r": 0 or 1}``, or in
    ``accs``, in the order of the answers in ``ys``.
    """
    index, texts = field_of(value, "idx", int), field_of(value, "ys", list)
    infos = value.get("infos", value.get("accs"))
    found = infos if isinstance(infos, list) else []
    marks = (info.get("r") if isinstance(info, dict) else info for info in found)
    verdicts = [bool(right) if right in (0, 1) else None for right in marks]
    if len(verdicts) > len(texts):
        raise FieldFault(
            "ys", f"found {counted(len(texts), 'answer')} for {counted(len(verdicts), 'verdict')}"
        )
    name = f"24game-{index + 1}"
    return [
        Answer(name, text, published=right, row=value)
        if isinstance(text, str)
        else Answer(name, fault=f"field 'ys': found {type(text).__name__}, expected a text")
        for text, right in zip_longest(texts, verdicts)
    ]


class AnswerFormat(NamedTuple):
    """A format of answer files."""

    name: str
    about: str
    """One-line description for users."""
    fields: tuple[str, ...]
    """The fields of a row of this format."""
    answers: Callable[[Any, AnswerReading], list[Answer]]
    """Returns the answers of a row; raises `FieldFault` if the row does not have this format."""
    rows: Callable[[Path], Iterator[AnswerRow]] = answer_rows
    """Yields the rows of a file; raises no error after the file was opened."""
    either: tuple[str, ...] = ()
    """The row has one of these fields, too, if there are any."""

    def claims(self, fields: Collection[str]) -> bool:
        """Return whether rows with these fields have this format."""
        is_one = not self.either or any(name in fields for name in self.either)
        return is_one and all(name in fields for name in self.fields)


FORMATS: Final = {
    each.name: each
    for each in (
        AnswerFormat(
            "anthropic-batch", "results of Anthropic's batch interface: custom_id, result",
            ("custom_id", "result"), _anthropic,
        ),
        AnswerFormat(
            "openai-batch", "output of OpenAI's batch interface: custom_id, response",
            ("custom_id", "response"), _openai,
        ),
        AnswerFormat(
            OWN, "objects with id and answer, one per line or in a list, or a table with these "
            "columns", ("id", "answer"), lambda value, reading: answers_from(value, reading.fields),
        ),
        AnswerFormat(
            "planbench", "unchanged result file of PlanBench, or its rows", ("instance_id",),
            _planbench, _planbench_rows, either=_PLANBENCH_TEXTS,
        ),
        AnswerFormat(
            "tree-of-thoughts", "log of Tree of Thoughts on 24.csv: idx, ys, infos or accs",
            ("idx", "ys"), _tree_of_thoughts,
        ),
    )
}  # fmt: skip
"""By name; the first that claims a file counts."""
