"""Output of OpenAI's batch interface: one response per line; its choices are attempts.

The responses are those of chat completions, with ``choices``, or of the newer interface, with
``output``.
"""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_formats.answer_format import AnswerFormat, AnswerReading
from pddl_pipeline.scoring.answer_rows import answer_rows
from pddl_pipeline.scoring.message_text import message_text
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.rows import field_of

_DONE: Final = 200


def _answers(value: Any, reading: AnswerReading) -> list[Answer]:
    del reading
    name = field_of(value, "custom_id", str)
    failure = _failure(value)
    if failure is not None:
        return [Answer(name, fault=failure)]
    body = field_of(value["response"], "body", dict)
    model = body.get("model")
    named = model if isinstance(model, str) else None
    return [Answer(name, text, model=named, row=value) for text in _texts(body)]


def _texts(body: dict[str, Any]) -> list[str]:
    if "choices" not in body and "output" in body:
        items = field_of(body, "output", list)
        # The others are summaries of reasoning and calls of tools.
        messages = [item for item in items if field_of(item, "type", str) == "message"]
        return ["".join(message_text(message.get("content")) for message in messages)]
    choices = field_of(body, "choices", list)
    if not choices:
        raise FieldFault("choices", "found none")
    return [message_text(field_of(choice, "message", dict).get("content", 0)) for choice in choices]


def _failure(value: dict[str, Any]) -> str | None:
    """Return why the request failed, or None. A failed request is not a model's answer."""
    error = value.get("error")
    response = value.get("response")
    if error is None and isinstance(response, dict):
        status = response.get("status_code", _DONE)
        if status == _DONE:
            return None
        body = response.get("body")
        error = body.get("error") if isinstance(body, dict) else None
        error = error or f"status {status}"
    message = error.get("message") if isinstance(error, dict) else error
    return f"the request failed: {str(message or 'no response')[:200]}"


FORMATS: Final = (
    AnswerFormat(
        "openai-batch", "output of OpenAI's batch interface: custom_id, response",
        lambda shape: shape.has("custom_id", "response"), answer_rows, _answers,
    ),
)  # fmt: skip
