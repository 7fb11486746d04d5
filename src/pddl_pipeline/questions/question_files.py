"""Files of questions: our own lines, or ACPBench's items as they are published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.questions.acpbench import is_item, item_id, question_of
from pddl_pipeline.questions.question import NoQuestion, Question, question_from
from pddl_pipeline.questions.registry import kind_named
from pddl_pipeline.translators.formats.format import DataRow
from pddl_pipeline.translators.formats.json_rows import json_items

Tell = Callable[[str], None]


def read_questions(path: Path, on_refused: Tell) -> Iterator[tuple[Question, str | None]]:
    """Yield the questions of a file, each with a second id that answers may use.

    Args:
        path: lines that `questions` wrote, or a ``dev.gen.json`` or ``test.gen.json`` of ACPBench.
        on_refused: called with the reason for each of ACPBench's items that is not answered, or
            whose published answer is another one than ours.

    Raises:
        InputError: the file cannot be read, or holds something that is no question.
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
        raise RecordError("the file holds no question", file=str(path))


def _of_item(item: dict[str, Any], on_refused: Tell) -> Iterator[tuple[Question, str | None]]:
    try:
        question = question_of(item)
    except NoQuestion as error:
        on_refused(f"{item_id(item)}: {error}")
        return
    if "answer" in item and _plain(item["answer"]) != _plain(question.answer):
        on_refused(f"{question.id}: the published answer is another one; ours is used")
    yield question, str(item.get("id"))


def _plain(answer: Any) -> Any:
    """Return an answer so that those that mean the same are equal."""
    if isinstance(answer, dict):
        return {name: _plain(each) for name, each in answer.items()}
    if isinstance(answer, list):
        return {str(each).lower() for each in answer}
    return str(answer).strip()


def _of_line(row: DataRow) -> Question:
    try:
        question = question_from(row.value)
        # Nothing in a damaged line is to stop the marking of answers later.
        kind_named(question.kind).mark(question, "(nothing) 0 []")
        kind_named(question.kind).tell(question)
    except InputError as error:
        raise RecordError(error.message, file=row.file, line=row.line) from error
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, StopIteration) as error:
        message = str(error) if type(error) is ValueError else "'details' are not of its kind"
        raise RecordError(message, file=row.file, line=row.line) from error
    return question
