"""Files of answers: their formats are detected, and their rows read in batches by any process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from pddl_pipeline.io.text_lines import check_readable, stem_of
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.scoring.answer import (
    ANSWERS,
    OWN_FIELDS,
    Answer,
    AnswerFields,
    misfit,
    recognised,
)
from pddl_pipeline.scoring.answer_formats import (
    FORMATS,
    OWN,
    AnswerFormat,
    AnswerReading,
    InstanceNumbers,
)
from pddl_pipeline.scoring.answer_rows import AnswerRow, RawLine, answer_rows, decoded, table_rows
from pddl_pipeline.translators.field_checks import FieldFault

_ROWS: Final = 256
_CHARACTERS: Final = 1 << 18
"""The most rows and characters of a batch; a row of more characters is a separate batch."""


class AnswerFile(NamedTuple):
    """A file of answers, and how it is read."""

    path: Path
    form: AnswerFormat
    fields: AnswerFields = OWN_FIELDS
    """The fields with the id and the answer, in the project's own format."""
    others: tuple[str, ...] = ()
    """Other fields of the first row whose names also stand for answers."""


class AnswerBatch(NamedTuple):
    """Consecutive rows of a file of answers."""

    file: int
    """Index of the file."""
    rows: list[AnswerRow | RawLine]


class AnswerSource:
    """The answers of several files, in order. Its copies in other processes read batches, too."""

    def __init__(self, files: Sequence[AnswerFile], *, raw: bool = False) -> None:
        """Prepare to read files.

        Args:
            files: the files. If there are several, answers without a model get the name of their
                file: people keep one file for each model.
            raw: see `read_answers`.
        """
        self._files, self._raw = files, raw
        short = [stem_of(each.path) for each in files]
        self._models: list[str | None] = [
            None if len(files) == 1 else name if short.count(name) == 1 else str(each.path)
            for name, each in zip(short, files, strict=True)
        ]

    def batches(self) -> Iterator[AnswerBatch]:
        """Yield the rows of all files, in order."""
        for index, file in enumerate(self._files):
            part: list[AnswerRow | RawLine] = []
            size = 0
            for row in file.form.rows(file.path):
                weight = len(row.raw) if isinstance(row, RawLine) else len(str(row.value))
                if part and (len(part) >= _ROWS or size + weight > _CHARACTERS):
                    yield AnswerBatch(index, part)
                    part, size = [], 0
                part.append(row)
                size += weight
            if part:
                yield AnswerBatch(index, part)

    def answers(self, batch: AnswerBatch, ids: InstanceNumbers) -> Iterator[Answer]:
        """Yield the answers of a batch, in order; the same ones each time.

        Args:
            batch: the rows.
            ids: the ids of the dataset.
        """
        file, model = self._files[batch.file], self._models[batch.file]
        reading = AnswerReading(self._raw, file.fields, ids)
        for row in decoded(batch.rows):
            try:
                found = [Answer(fault=row.fault)] if row.fault else \
                    file.form.answers(row.value, reading)  # fmt: skip
            except FieldFault as fault:
                found = [Answer(fault=str(fault))]
            for answer in found:
                named = model if answer.model is None else answer.model
                yield replace(answer, model=named, place=row.place)


def read_answers(
    path: Path, ids: Iterable[str] = (), *, form: str | None = None, raw: bool = False
) -> Iterator[Answer]:
    """Return the answers of a file in order. A row that is not an answer has a fault.

    Args:
        path: a file in one of the `FORMATS`; decompressed if the name ends in ``.gz``.
        ids: the ids of the dataset, for files that number the instances.
        form: name of the format; detected from the content if None.
        raw: whether to return PlanBench's raw responses instead of the extracted plans.

    Raises:
        InputError: the file cannot be opened, or its format is unknown.
    """
    source, numbers = AnswerSource([answer_file(path, form=form)], raw=raw), InstanceNumbers(ids)
    return chain.from_iterable(source.answers(batch, numbers) for batch in source.batches())


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
    check_readable(path)  # raise now, not when the first answer is requested
    own_fields = id_field is not None or answer_field is not None
    named = OWN if own_fields and form is None else form
    if named is not None and named not in FORMATS:
        raise InputError(f"unknown answer format '{named}'{hint(named, FORMATS)}")
    if named not in (None, OWN) and own_fields:
        what = "--id-field and --answer-field are for the format 'answers'"
        raise InputError(f"{what}, found '{named}'", file=str(path))
    if named is None or named == OWN:
        found = _detected(path, id_field, answer_field, any_format=named is None)
    else:
        found = AnswerFile(path, FORMATS[named])
    return found


def _detected(
    path: Path, id_field: str | None, answer_field: str | None, *, any_format: bool
) -> AnswerFile:
    """Return how a file is read, from the fields of its first rows."""
    seen: dict[str, None] = {}
    for row in answer_rows(path):
        if not isinstance(row.value, dict):
            continue
        claimed = next((each for each in FORMATS.values() if each.claims(row.value)), None)
        if any_format and claimed is not None and claimed.name != OWN:
            return AnswerFile(path, claimed)
        try:
            found = recognised(row.value, id_field, answer_field)
        except InputError as error:
            raise InputError(error.message, file=str(path)) from None
        if found is not None:
            others = {*ANSWERS} & {*row.value} - {*found} if answer_field is None else ()
            return AnswerFile(path, FORMATS[OWN], found, tuple(sorted(others)))
        seen.update(dict.fromkeys(sorted(row.value)))
    if id_field is not None or answer_field is not None:
        raise InputError(misfit(seen, id_field, answer_field), file=str(path))
    if not any_format:
        return AnswerFile(path, FORMATS[OWN])
    raise _unknown(path, seen)


def _unknown(path: Path, seen: Iterable[str]) -> InputError:
    """Return the error for a file of no known format, with the first row that cannot be read."""
    table, broken = table_rows(path), next(filter(attrgetter("fault"), answer_rows(path)), None)
    if table is not None and broken is not None and not seen:
        return InputError(broken.fault or "", file=broken.place)
    at = f" ({broken.place}: {broken.fault})" if broken is not None and not seen else ""
    if not seen and not at:
        return InputError("the file contains no answer", file=str(path))
    expected = "; ".join(each.about for each in FORMATS.values())
    found = f", found the fields {', '.join(seen)[:160]}" if seen else ""
    return InputError(f"found no answer in a known format{at}: {expected}{found}", file=str(path))
