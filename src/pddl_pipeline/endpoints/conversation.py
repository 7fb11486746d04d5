"""A conversation with a language model: messages, and what the model replies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

Role = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    """One message of a conversation."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model returned to a conversation."""

    text: str
    """The model's text; empty if it returned none."""
    finish_reason: str
    """Why the model stopped, in the words of the endpoint: ``stop``, ``length``, …"""
    prompt_tokens: int | None = None
    """Tokens of the request, as the endpoint counts them; None if it does not report them."""
    completion_tokens: int | None = None
    """Tokens of the reply, reasoning included; None if the endpoint does not report them."""
    seconds: float = 0.0
    """Wall-clock time of the request that succeeded."""
    served_model: str = ""
    """The model's name in the endpoint's words; empty if it does not report one."""

    @property
    def is_empty(self) -> bool:
        """Whether the model returned no text."""
        return not self.text.strip()


class ChatModel(Protocol):
    """Something that continues a conversation: an endpoint, a log, or a script."""

    def reply(self, messages: Sequence[Message]) -> Reply:
        """Return the reply to a conversation whose last message is the user's."""
        ...


def known_sum(counts: Iterable[int | None]) -> int | None:
    """Return the sum of the counts that are known; None if there are none."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
