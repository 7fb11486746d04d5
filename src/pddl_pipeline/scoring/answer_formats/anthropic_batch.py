"""Results of Anthropic's batch interface: one message per line."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_formats.answer_format import AnswerFormat, AnswerReading
from pddl_pipeline.scoring.answer_rows import answer_rows
from pddl_pipeline.scoring.message_text import message_text
from pddl_pipeline.translators.formats.rows import field_of


def _answers(value: Any, reading: AnswerReading) -> list[Answer]:
    del reading
    name = field_of(value, "custom_id", str)
    result = field_of(value, "result", dict)
    kind = field_of(result, "type", str)
    if kind != "succeeded":
        return [Answer(name, fault=f"the request failed: {_reason(kind, result)[:200]}")]
    message = field_of(result, "message", dict)
    model = message.get("model")
    named = model if isinstance(model, str) else None
    return [Answer(name, message_text(message.get("content")), model=named, row=value)]


def _reason(kind: str, result: dict[str, Any]) -> str:
    """Return why there is no message: the innermost text about an error, or else the type."""
    error = result.get("error")
    while isinstance(error, dict) and isinstance(error.get("error"), dict):
        error = error["error"]
    message = error.get("message") if isinstance(error, dict) else None
    return message if isinstance(message, str) else kind


FORMATS: Final = (
    AnswerFormat(
        "anthropic-batch", "results of Anthropic's batch interface: custom_id, result",
        lambda shape: shape.has("custom_id", "result"), answer_rows, _answers,
    ),
)  # fmt: skip
