"""The text of a chat message, in the forms in which services and libraries store it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.rows import field_of

_TEXTS: Final = frozenset({"text", "output_text"})
"""Types of the parts of a message that are its text. Others are thinking, calls or refusals."""


def message_text(content: Any) -> str:
    """Return the text in the content of a message; "" if the model wrote none.

    Args:
        content: a text, null, or a list of parts with a ``type``.

    Raises:
        FieldFault: the content is none of these.
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise FieldFault("content", "found no text, expected a text or a list of parts")
    return "".join(_texts(content))


def _texts(parts: list[Any]) -> Iterator[str]:
    for part in parts:
        if field_of(part, "type", str) in _TEXTS:
            yield field_of(part, "text", str)


def last_reply(messages: list[Any]) -> str:
    """Return the text of the last message, which must be the model's.

    Raises:
        FieldFault: a message has no role or content, or the model did not write the last one.
    """
    role = field_of(messages[-1], "role", str)
    if role != "assistant":
        raise FieldFault("role", f"found '{role[:40]}' in the last message, expected 'assistant'")
    return message_text(messages[-1].get("content"))
