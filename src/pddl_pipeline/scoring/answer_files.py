"""Reads files of answers in all formats, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.text_lines import check_readable, open_binary
from pddl_pipeline.model.discovery import discover
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_fields import (
    ANSWERS,
    OWN_FIELDS,
    AnswerFields,
    misfit,
    recognised,
)
from pddl_pipeline.scoring.answer_formats.answer_format import AnswerFormat, AnswerReading, Shape
from pddl_pipeline.scoring.answer_formats.own import OWN
from pddl_pipeline.scoring.answer_rows import AnswerRow, answer_rows, open_stream
from pddl_pipeline.scoring.answer_tables import table_rows
from pddl_pipeline.scoring.instance_numbers import InstanceNumbers
from pddl_pipeline.translators.field_checks import FieldFault

# If the first object of a file is longer, the other lines determine the format.
_HEAD: Final = 1 << 24


@cache
def answer_formats() -> dict[str, AnswerFormat]:
    """Return all formats of answer files, by name."""
    package = "pddl_pipeline.scoring.answer_formats"
    return {form.name: form for form in discover(package, "FORMATS")}


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """A file of answers, and how it is read."""

    path: Path
    form: AnswerFormat
    fields: AnswerFields = OWN_FIELDS
    """The fields with the id and the answer, in the project's own format."""
    others: tuple[str, ...] = ()
    """Other fields of the first row whose names also stand for answers."""

    def __reduce__(self) -> tuple[Callable[..., AnswerFile], tuple[Any, ...]]:
        # Formats hold functions without a name, so that another process gets them by name.
        return _with_format, (self.path, self.form.name, self.fields, self.others)

    def answers(self, ids: Iterable[str] = (), *, raw: bool = False) -> Iterator[Answer]:
        """Yield the answers in order; see `read_answers`."""
        reading = AnswerReading(self.path, raw, self.fields, InstanceNumbers(ids))
        return _answers(self.form, reading)


def _with_format(path: Path, form: str, *others: Any) -> AnswerFile:
    return AnswerFile(path, _named(form), *others)


def read_answers(
    path: Path, ids: Iterable[str] = (), *, form: str | None = None, raw: bool = False
) -> Iterator[Answer]:
    """Return the answers of a file in order. A row that is not an answer has a fault.

    Args:
        path: a file in one of the `answer_formats`; decompressed if the name ends in ``.gz``.
        ids: the ids of the dataset, for files that number the instances.
        form: name of the format; detected from the content if None.
        raw: whether to return PlanBench's raw responses instead of the extracted plans.

    Raises:
        InputError: the file cannot be opened, or its format is unknown.
    """
    return answer_file(path, form=form).answers(ids, raw=raw)


def answer_file(
    path: Path,
    *,
    form: str | None = None,
    id_field: str | None = None,
    answer_field: str | None = None,
) -> AnswerFile:
    """Return how a file of answers is read.

    Args:
        path: see `read_answers`.
        form: see `read_answers`.
        id_field: the field with the id, in a file of the project's own format; recognised if None.
        answer_field: likewise, the field with the answer.

    Raises:
        InputError: the file cannot be opened, its format is unknown, or it is not clear which
            field has the answers.
    """
    if path.exists() and not path.is_file():
        raise InputError("is not a regular file, expected a file of answers", file=str(path))
    own_fields = id_field is not None or answer_field is not None
    named = OWN if own_fields and form is None else form
    if named is not None and _named(named).name != OWN:
        if own_fields:
            what = "--id-field and --answer-field are for the format 'answers'"
            raise InputError(f"{what}, found '{named}'", file=str(path))
        found = AnswerFile(path, _named(named))
    else:
        found = _detected(path, id_field, answer_field, any_format=named is None)
    check_readable(path)  # raise now, not when the first answer is requested
    return found


def _named(name: str) -> AnswerFormat:
    known = answer_formats()
    if name not in known:
        raise InputError(f"unknown answer format '{name}'{hint(name, known)}")
    return known[name]


def _detected(
    path: Path, id_field: str | None, answer_field: str | None, *, any_format: bool
) -> AnswerFile:
    """Return how a file is read, from the fields of its first rows."""
    formats = answer_formats()
    seen: dict[str, None] = {}
    for shape in _shapes(path) if any_format else _row_shapes(path):
        claimed = next((form for form in formats.values() if form.claims(shape)), None)
        if any_format and claimed is not None and claimed.name != OWN:
            return AnswerFile(path, claimed)
        if shape.is_complete:
            fields = _recognised(path, shape, id_field, answer_field)
            if fields is not None:
                known = {*ANSWERS} if answer_field is None else set[str]()
                others = sorted(known & shape.fields - {*fields})
                return AnswerFile(path, formats[OWN], fields, tuple(others))
        seen.update(dict.fromkeys(sorted(shape.fields)))
    found = f", found the fields {', '.join(seen)[:160]}" if seen else ""
    if id_field is not None or answer_field is not None:
        raise InputError(misfit(seen, id_field, answer_field), file=str(path))
    if not any_format:
        return AnswerFile(path, formats[OWN])
    first = None if seen else next(iter(table_rows(path) or ()), None)
    expected = "; ".join(form.about for form in formats.values())
    broken = "" if seen else _broken(path)
    if first is not None and first.fault is not None:
        raise InputError(first.fault, file=first.place)
    reason = f"found no answer in a known format{broken}: {expected}{found}"
    raise InputError(reason, file=str(path))


def _broken(path: Path) -> str:
    """Return the place and fault of the first row that has one, in parentheses."""
    return next((f" ({row.place}: {row.fault})" for row in answer_rows(path) if row.fault), "")


def _recognised(
    path: Path, shape: Shape, id_field: str | None, answer_field: str | None
) -> AnswerFields | None:
    try:
        return recognised(shape.fields, id_field, answer_field)
    except InputError as error:
        raise InputError(error.message, file=str(path)) from None


def _shapes(path: Path) -> Iterator[Shape]:
    """Yield the shapes of the objects at the beginning of a file, then those on other lines."""
    if table_rows(path) is None:
        with suppress(RecordError):  # only this line may be broken
            yield from _head(path)
    yield from _row_shapes(path)


def _row_shapes(path: Path) -> Iterator[Shape]:
    for row in answer_rows(path):
        if isinstance(row.value, dict):
            yield Shape(frozenset(row.value))


def _head(path: Path) -> Iterator[Shape]:
    with open_binary(path) as file:
        stream = open_stream(path, BytesIO(file.read(_HEAD)))
    if stream.sign() == "[":
        for value in stream.elements():
            if isinstance(value, dict):
                yield Shape(frozenset(value), in_list=True)
        return
    fields: set[str] = set()
    for name in stream.fields():
        fields.add(name)
        if stream.sign() == "[":  # the list may be the rest of the file
            yield Shape(frozenset(fields), is_complete=False)
        stream.value()
    yield Shape(frozenset(fields))


def _answers(form: AnswerFormat, reading: AnswerReading) -> Iterator[Answer]:
    for row in form.rows(reading.path):
        yield from answers_of_row(form, row, reading)


def answers_of_row(form: AnswerFormat, row: AnswerRow, reading: AnswerReading) -> Iterator[Answer]:
    """Yield the answers of a row of a file; one with a fault if the row is not an answer."""
    if row.fault is not None:
        yield Answer(fault=row.fault, place=row.place)
        return
    try:
        found = form.answers(row.value, reading)
    except FieldFault as fault:
        found = [Answer(fault=str(fault))]
    for answer in found:
        yield replace(answer, place=row.place)
