"""The interface of an answer format: a file defines `AnswerFormat` objects in FORMATS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_fields import OWN_FIELDS, AnswerFields
from pddl_pipeline.scoring.answer_rows import AnswerRow
from pddl_pipeline.scoring.instance_numbers import InstanceNumbers


class Shape(NamedTuple):
    """The shape of a file of answers, by which its format is detected."""

    fields: frozenset[str]
    """The fields of an object at the beginning of the file."""
    in_list: bool = False
    """Whether the whole file is a list that contains the object."""
    is_complete: bool = True
    """Whether these are all fields of the object, and not only those before a list."""

    def has(self, *names: str) -> bool:
        """Return whether the object has these fields."""
        return self.fields.issuperset(names)


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """A file of answers, and how to read it."""

    path: Path
    raw: bool = False
    """Whether to judge PlanBench's ``llm_raw_response`` instead of ``extracted_llm_plan``."""
    fields: AnswerFields = OWN_FIELDS
    """The fields of the project's own format that hold the id and the answer."""
    numbers: InstanceNumbers = field(default_factory=InstanceNumbers)
    """The dataset's ids, by the number at the end of the id."""


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """A format of answer files."""

    name: str
    about: str
    """One-line description for users."""
    claims: Callable[[Shape], bool]
    """Return whether a file of this shape has this format."""
    rows: Callable[[Path], Iterator[AnswerRow]]
    """Yield the rows of a file; raise no error after the file was opened."""
    answers: Callable[[Any, AnswerReading], list[Answer]]
    """Return the answers of a row; raise `FieldFault` if the row does not have this format."""
