"""What a form of answer files plugs in: one `AnswerFormat` in its own file, in FORMATS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_rows import AnswerRow
from pddl_pipeline.scoring.instance_numbers import InstanceNumbers


class Shape(NamedTuple):
    """What can be told of a file of answers before it is read."""

    fields: frozenset[str]
    """Of an object at its beginning."""
    in_list: bool = False
    """Whether the object is in a list that is the whole file."""


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """A file of answers, and what is known beside it."""

    path: Path
    raw: bool = False
    """Whether PlanBench's ``llm_raw_response`` is judged, and not ``extracted_llm_plan``."""
    numbers: InstanceNumbers = field(default_factory=InstanceNumbers)
    """The dataset's ids by the numbers that they end in."""


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """A form in which answers are kept."""

    name: str
    about: str
    """One line for users."""
    claims: Callable[[Shape], bool]
    """Whether a file looks like it."""
    rows: Callable[[Path], Iterator[AnswerRow]]
    """Reads a file row by row; raises nothing once the file was opened."""
    answers: Callable[[Any, AnswerReading], list[Answer]]
    """Understands a row; raises a `FieldFault` where it is none of this form."""
