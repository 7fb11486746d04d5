"""Answers in memory: objects, rows of a data frame, or ready answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.answer import Answer, answers_from
from pddl_pipeline.scoring.answer_fields import OWN_FIELDS, AnswerFields, misfit, recognised
from pddl_pipeline.translators.datasets import is_frame, plain_rows

_KEYWORDS: Final = ("id_field=", "answer_field=")


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
            fields = recognised(given.keys(), id_field, answer_field, options=_KEYWORDS)
            if fields is not None:
                return fields
            found.update(dict.fromkeys(map(str, given)))
    if first:
        raise InputError(misfit(found, id_field, answer_field))
    return OWN_FIELDS
