"""Files of answers: their formats are detected, and their rows read in batches by any process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from pddl_pipeline.io.text_lines import check_readable, stem_of
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.answer import (
    ANSWERS,
    OWN_FIELDS,
    UNNAMED,
    Answer,
    AnswerFields,
    NamedFields,
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
from pddl_pipeline.scoring.answer_rows import AnswerRow, answer_rows
from pddl_pipeline.translators.field_checks import FieldFault

ROWS: Final = 256
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
    given: Sequence[AnswerRow] | None = None
    """The rows, if they were read with their problems."""

    def rows(self) -> Iterator[AnswerRow]:
        """Return the rows in order."""
        return self.form.rows(self.path) if self.given is None else iter(self.given)


class AnswerBatch(NamedTuple):
    """Consecutive rows of a file of answers."""

    file: int
    """Index of the file."""
    rows: list[AnswerRow]


class AnswerSource:
    """The answers of several files, in order. Its copies in other processes read batches, too."""

    def __init__(
        self, files: Sequence[AnswerFile], *, raw: bool = False, mark: str = "", rows: int = ROWS
    ) -> None:
        """Prepare to read files.

        Args:
            files: the files. If there are several, answers without a model get the name of their
                file: people keep one file for each model.
            raw: see `read_answers`.
            mark: the text before the final answers that the user asked for, such as
                ``FINAL PLAN``. What stands behind its last occurrence is read as in ``<answer>``.
            rows: the most rows of a batch.
        """
        self._files, self._raw, self._mark, self._rows = files, raw, mark, rows
        short = [stem_of(file.path) for file in files]
        self._models: list[str | None] = [
            None if len(files) == 1 else name if short.count(name) == 1 else str(each.path)
            for name, each in zip(short, files, strict=True)
        ]

    def batches(self) -> Iterator[AnswerBatch]:
        """Yield the rows of all files, in order."""
        for index, file in enumerate(self._files):
            part: list[AnswerRow] = []
            size = 0
            for row in file.rows():
                weight = len(str(row.value))
                # Many short answers or few long ones keep a process busy about as long.
                if part and (len(part) >= self._rows or size + weight > _CHARACTERS):
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
        for row in batch.rows:
            try:
                found = (
                    [Answer(fault=row.fault)]
                    if row.fault
                    else file.form.answers(row.value, reading)
                )
            except FieldFault as fault:
                found = [Answer(fault=str(fault))]
            for answer in found:
                named = model if answer.model is None else answer.model
                text = answer.text
                if self._mark and self._mark in text:
                    text = "<answer>".join(text.rsplit(self._mark, 1))
                yield replace(answer, model=named, place=row.place, text=text)


def answer_file(path: Path, named: NamedFields = UNNAMED) -> AnswerFile:
    """Return how a file of answers is read, from the fields of its first rows.

    Args:
        path: a file in one of the `FORMATS`; decompressed if the name ends in ``.gz``.
        named: the fields that the user named, in a file of the project's own format.

    Raises:
        InputError: the file cannot be opened, its format is unknown, or it is not clear which
            field has the answers.
    """
    if path.exists() and not path.is_file():
        raise InputError("is not a regular file, expected a file of answers", file=str(path))
    check_readable(path)  # raise now, not when the first answer is requested
    seen: dict[str, None] = {}
    for row in answer_rows(path):
        if not isinstance(row.value, dict):
            continue
        claimed = next((each for each in FORMATS.values() if each.claims(row.value)), None)
        # Fields that the user names are those of the project's own format.
        if named == UNNAMED and claimed is not None and claimed.name != OWN:
            return AnswerFile(path, claimed)
        try:
            found = recognised(row.value, named)
        except InputError as error:
            raise InputError(error.message, file=str(path)) from None
        if found is not None:
            others = {*ANSWERS} & {*row.value} - {*found} if named.answer is None else ()
            return AnswerFile(path, FORMATS[OWN], found, tuple(sorted(others)))
        seen.update(dict.fromkeys(sorted(row.value)))
    if seen:
        raise InputError(misfit(seen, named), file=str(path))
    # There are no objects: the error is that of the first row that cannot be read.
    broken = next(filter(attrgetter("fault"), answer_rows(path)), AnswerRow(str(path)))
    raise InputError(broken.fault or "the file contains no answer", file=broken.place)
