"""Files of answers in batches, which any process can read and judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from pddl_pipeline.io.text_lines import stem_of
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_files import AnswerFile, answers_of_row
from pddl_pipeline.scoring.answer_formats.answer_format import AnswerReading
from pddl_pipeline.scoring.answer_rows import AnswerRow, RawLine, answer_rows, raw_rows
from pddl_pipeline.scoring.instance_numbers import InstanceNumbers

_ROWS: Final = 256
_CHARACTERS: Final = 1 << 18
"""The most rows and characters of a batch; a row of more characters is a separate batch."""
_OTHER: Final = 100
"""Estimated characters of a value that is not text."""


class AnswerBatch(NamedTuple):
    """Consecutive rows of a file of answers."""

    file: int
    """Index of the file."""
    rows: list[AnswerRow | RawLine]


@dataclass(frozen=True, slots=True)
class _Source:
    """A file of answers, and what its rows need to become answers."""

    file: AnswerFile
    model: str | None
    """The model of answers that do not name theirs."""
    raw: bool


class AnswerSource:
    """The answers of several files, in order.

    Pickled copies hold how to read rows, so that another process reads the batches.
    """

    def __init__(self, files: Sequence[AnswerFile], *, raw: bool = False) -> None:
        """Prepare to read files.

        Args:
            files: the files. If there are several, answers without a model get the name of their
                file: people keep one file for each model.
            raw: see `read_answers`.
        """
        several = len(files) > 1
        self._sources = [
            _Source(each, name if several else None, raw)
            for each, name in zip(files, _names(files), strict=True)
        ]

    def batches(self) -> Iterator[AnswerBatch]:
        """Yield the rows of all files, in order."""
        for index, source in enumerate(self._sources):
            for rows in _parts(_rows(source.file)):
                yield AnswerBatch(index, rows)

    def reader(self, ids: Iterable[str]) -> BatchReader:
        """Return what reads the batches, with the ids of the dataset."""
        return BatchReader(self._sources, InstanceNumbers(ids))


class BatchReader:
    """Reads the answers of batches."""

    def __init__(self, sources: Sequence[_Source], numbers: InstanceNumbers) -> None:
        self._readings = [
            (each, AnswerReading(each.file.path, each.raw, each.file.fields, numbers))
            for each in sources
        ]

    def answers(self, batch: AnswerBatch) -> Iterator[Answer]:
        """Yield the answers of a batch, in order; the same ones each time."""
        source, reading = self._readings[batch.file]
        form = source.file.form
        for each in batch.rows:
            row = each.row() if isinstance(each, RawLine) else each
            if row is None:
                continue
            for answer in answers_of_row(form, row, reading):
                unnamed = answer.model is None and source.model is not None
                yield replace(answer, model=source.model) if unnamed else answer


def _rows(file: AnswerFile) -> Iterator[AnswerRow | RawLine]:
    """Yield the rows of a file; lines stay as they are if the format needs nothing else."""
    return raw_rows(file.path) if file.form.rows is answer_rows else file.form.rows(file.path)


def _parts(rows: Iterable[AnswerRow | RawLine]) -> Iterator[list[AnswerRow | RawLine]]:
    part: list[AnswerRow | RawLine] = []
    size = 0
    for row in rows:
        weight = _weight(row)
        if part and (len(part) >= _ROWS or size + weight > _CHARACTERS):
            yield part
            part, size = [], 0
        part.append(row)
        size += weight
    if part:
        yield part


def _weight(row: AnswerRow | RawLine) -> int:
    return len(row.raw) if isinstance(row, RawLine) else _characters(row.value)


def _characters(value: object) -> int:
    """Return about how many characters a value of JSON has."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_characters, value.values()))
    return sum(map(_characters, value)) if isinstance(value, list) else _OTHER


def _names(files: Sequence[AnswerFile]) -> list[str]:
    """Return the names of files without folder and suffix, or with both if two are the same."""
    short = [stem_of(each.path) for each in files]
    return [
        name if short.count(name) == 1 else str(each.path)
        for name, each in zip(short, files, strict=True)
    ]
