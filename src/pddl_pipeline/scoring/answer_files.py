"""Reads files of answers in all formats, row by row."""

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
from pddl_pipeline.scoring.answer_formats.answer_format import AnswerFormat, AnswerReading, Shape
from pddl_pipeline.scoring.answer_rows import answer_rows, open_stream
from pddl_pipeline.scoring.instance_numbers import InstanceNumbers
from pddl_pipeline.translators.field_checks import FieldFault

# If the first object of a file is longer, the other lines determine the format.
_HEAD: Final = 1 << 24


@cache
def answer_formats() -> dict[str, AnswerFormat]:
    """Return all formats of answer files, by name."""
    package = "pddl_pipeline.scoring.answer_formats"
    return {form.name: form for form in discover(package, "FORMATS")}


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
    if path.exists() and not path.is_file():
        raise InputError("is not a regular file, expected a file of answers", file=str(path))
    chosen = _guess(path) if form is None else _named(form)
    check_readable(path)  # raise now, not when the first answer is requested
    return _answers(chosen, AnswerReading(path, raw, InstanceNumbers(ids)))


def _named(name: str) -> AnswerFormat:
    known = answer_formats()
    if name not in known:
        raise InputError(f"unknown answer format '{name}'{hint(name, known)}")
    return known[name]


def _guess(path: Path) -> AnswerFormat:
    for shape in _shapes(path):
        for form in answer_formats().values():
            if form.claims(shape):
                return form
    expected = "; ".join(form.about for form in answer_formats().values())
    raise InputError(f"found no answer in a known format: {expected}", file=str(path))


def _shapes(path: Path) -> Iterator[Shape]:
    """Yield the shapes of the objects at the beginning of a file, then those on other lines."""
    with suppress(RecordError):  # only this line may be broken
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
        if stream.sign() == "[":  # the list may be the rest of the file
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
