"""Reads files of answers of every form, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from pddl_pipeline.io.text_lines import check_readable, open_binary
from pddl_pipeline.model.discovery import discover
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_formats.answer_format import (
    AnswerFormat,
    AnswerReading,
    Shape,
)
from pddl_pipeline.scoring.answer_rows import answer_rows, open_stream
from pddl_pipeline.scoring.instance_numbers import InstanceNumbers
from pddl_pipeline.translators.field_checks import FieldFault

# Of a file whose first object is longer, the form is told by its other lines.
_HEAD: Final = 1 << 24


@cache
def answer_formats() -> dict[str, AnswerFormat]:
    """Return every form of answer files by its name."""
    package = "pddl_pipeline.scoring.answer_formats"
    return {form.name: form for form in discover(package, "FORMATS")}


def read_answers(
    path: Path, ids: Iterable[str] = (), *, form: str | None = None, raw: bool = False
) -> Iterator[Answer]:
    """Return the answers of a file in their order; a row that is none is one with a fault.

    Args:
        path: a file of any form that `answer_formats` knows, packed where it ends in ``.gz``.
        ids: of the dataset, for files that number the instances.
        form: name of the form; told from the content where None.
        raw: whether PlanBench's raw responses are wanted, and not the plans extracted from them.

    Raises:
        InputError: the file cannot be opened, or is of no form that is known.
    """
    if path.exists() and not path.is_file():
        raise InputError("is no ordinary file; expected a file of answers", file=str(path))
    chosen = _guess(path) if form is None else _named(form)
    check_readable(path)  # now, and not when the first answer is asked for
    return _answers(chosen, AnswerReading(path, raw, InstanceNumbers(ids)))


def _named(name: str) -> AnswerFormat:
    known = answer_formats()
    if name not in known:
        raise InputError(f"unknown form of answers '{name}'{hint(name, known)}")
    return known[name]


def _guess(path: Path) -> AnswerFormat:
    for shape in _shapes(path):
        for form in answer_formats().values():
            if form.claims(shape):
                return form
    expected = "; ".join(form.about for form in answer_formats().values())
    raise InputError(f"holds no answer in a form that is known: {expected}", file=str(path))


def _shapes(path: Path) -> Iterator[Shape]:
    """Yield what objects at the beginning of a file look like, then those on other lines."""
    with suppress(RecordError):  # perhaps it is only a line that is broken
        yield from _head(path)
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
        if stream.sign() == "[":  # may be the rest of the file
            yield Shape(frozenset(fields))
        stream.value()
    yield Shape(frozenset(fields))


def _answers(form: AnswerFormat, reading: AnswerReading) -> Iterator[Answer]:
    for row in form.rows(reading.path):
        if row.fault is not None:
            yield Answer(fault=row.fault, place=row.place)
            continue
        try:
            found = form.answers(row.value, reading)
        except FieldFault as fault:
            found = [Answer(fault=str(fault))]
        for answer in found:
            yield replace(answer, place=row.place)
