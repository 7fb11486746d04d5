"""Files of questions: lines that `questions` wrote, or ACPBench's items as published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.questions.acpbench import is_item, item_id, question_of
from pddl_pipeline.questions.kind import kind_named
from pddl_pipeline.questions.question import NoQuestion, Question, question_from
from pddl_pipeline.translators.formats.format import DataRow
from pddl_pipeline.translators.formats.json_rows import json_items

Report = Callable[[str], None]


def read_questions(path: Path, on_refused: Report) -> Iterator[tuple[Question, str | None]]:
    """Yield the questions of a file, each with a second id that answers may use.

    Args:
        path: lines that `questions` wrote, or a ``dev.gen.json`` or ``test.gen.json`` of ACPBench.
        on_refused: called with a message for each item of ACPBench that is not supported or whose
            published answer differs from the computed one.

    Raises:
        InputError: the file cannot be read, or contains something that is not a question.
    """
    found = False
    for row in json_items(path):
        if isinstance(row, InputError):
            raise row
        found = True
        if is_item(row.value):
            yield from _of_item(row.value, on_refused)
        else:
            yield _of_line(row), None
    if not found:
        raise RecordError("the file contains no question", file=str(path))


def _of_item(item: dict[str, Any], on_refused: Report) -> Iterator[tuple[Question, str | None]]:
    try:
        question = question_of(item)
    except NoQuestion as error:
        on_refused(f"{item_id(item)}: {error}")
        return
    if "answer" in item and _plain(item["answer"]) != _plain(question.answer):
        on_refused(f"{question.id}: the published answer differs; the computed answer is used")
    yield question, str(item.get("id"))


def _plain(answer: Any) -> Any:
    """Return an answer in a normal form: equivalent answers are equal."""
    if isinstance(answer, dict):
        return {name: _plain(each) for name, each in answer.items()}
    if isinstance(answer, list):
        return {str(each).lower() for each in answer}
    return str(answer).strip()


def _of_line(row: DataRow) -> Question:
    try:
        question = question_from(row.value)
        # A damaged line must be reported here, not when answers are marked.
        kind_named(question.kind).mark(question, "(nothing) 0 []")
        kind_named(question.kind).answer_text(question)
    except InputError as error:
        raise RecordError(error.message, file=row.file, line=row.line) from error
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, StopIteration) as error:
        message = str(error) if type(error) is ValueError else "'details' do not fit the kind"
        raise RecordError(message, file=row.file, line=row.line) from error
    return question
