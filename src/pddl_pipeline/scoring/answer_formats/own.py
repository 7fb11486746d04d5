"""The project's own format: objects with ``id`` and ``answer``, one per line or in a list."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.scoring.answer import Answer, answer_from
from pddl_pipeline.scoring.answer_formats.answer_format import AnswerFormat, AnswerReading
from pddl_pipeline.scoring.answer_rows import answer_rows


def _answers(value: Any, reading: AnswerReading) -> list[Answer]:
    del reading
    return [answer_from(value)]


FORMATS: Final = (
    AnswerFormat(
        "answers", "objects with id and answer, one per line or in a list",
        lambda shape: shape.has("id", "answer"), answer_rows, _answers,
    ),
)  # fmt: skip
