"""The project's own format: objects or rows with an id and an answer; see `answer_fields`."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.scoring.answer import Answer, answers_from
from pddl_pipeline.scoring.answer_formats.answer_format import AnswerFormat, AnswerReading
from pddl_pipeline.scoring.answer_rows import answer_rows

OWN: Final = "answers"
"""Name of the format."""


def _answers(value: Any, reading: AnswerReading) -> list[Answer]:
    return answers_from(value, reading.fields)


FORMATS: Final = (
    AnswerFormat(
        OWN, "objects with id and answer, one per line or in a list, or a table with these columns",
        lambda shape: shape.has("id", "answer"), answer_rows, _answers,
    ),
)  # fmt: skip
