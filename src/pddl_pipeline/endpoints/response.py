"""The response of an endpoint: its JSON, read tolerantly, since servers differ."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from pddl_pipeline.endpoints.conversation import Reply

LARGEST_BYTES: Final = 2**26
"""Longest response that is read; the longest replies of models have a few MiB."""


class _Part(msgspec.Struct):
    text: str = ""


class _Message(msgspec.Struct):
    content: str | list[_Part] | None = None
    tool_calls: Any = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    """Of a chat."""
    text: str | None = None
    """Of a completion."""
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Response(msgspec.Struct):
    choices: list[_Choice]
    model: str | None = None
    usage: _Usage | None = None


def read_reply(content: bytes, seconds: float) -> Reply:
    """Return the reply in a response.

    A call of a tool has no text: no tools were offered.

    Args:
        content: the body of the response.
        seconds: the wall-clock time of the request.

    Raises:
        ValueError: the response does not follow the protocol.
    """
    try:
        response = msgspec.json.decode(content, type=_Response)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"a response that is not of the protocol: {error}") from None
    if not response.choices:
        raise ValueError("a response without choices")
    choice, usage = response.choices[0], response.usage or _Usage()
    called = choice.message is not None and bool(choice.message.tool_calls)
    return Reply(
        text=_text(choice),
        finish_reason=choice.finish_reason or ("tool_calls" if called else ""),
        prompt_tokens=_count(usage.prompt_tokens),
        completion_tokens=_count(usage.completion_tokens),
        seconds=seconds,
        served_model=response.model or "",
    )


def _text(choice: _Choice) -> str:
    content = choice.text if choice.message is None else choice.message.content
    if isinstance(content, list):
        return "".join(part.text for part in content)
    return content or ""


def _count(tokens: int | None) -> int | None:
    return tokens if tokens is not None and tokens >= 0 else None
