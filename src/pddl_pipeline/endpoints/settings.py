"""An endpoint, a model, how the model is asked, and the messages of a conversation with it."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, Literal, NamedTuple, Protocol
from urllib.parse import urlsplit

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import check_package

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
    notes: tuple[str, ...] = ()
    """What was changed in the response, and which counts of tokens are not whole numbers."""
    request: int = 0
    """The number of the request in the record of a budget; 0 if it has none."""

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


KEY: Final = "OPENAI_API_KEY"
"""The environment variable with the key. A key is never in a file, a log or a message."""
BASE: Final = "OPENAI_BASE_URL"
"""The environment variable with the address, if none is given."""
OPENAI: Final = "https://api.openai.com/v1"

Form = Literal["chat", "completion"]
"""``chat`` sends messages, ``completion`` a text to be continued."""
_PATHS: Final[Mapping[Form, str]] = {"chat": "chat/completions", "completion": "completions"}
_LONGEST_TIMEOUT_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """An endpoint, a model, and how the model is asked.

    Raises:
        InputError: a value is invalid, or has no effect with another one.
    """

    model: str
    base_url: str = ""
    """The address without ``/chat/completions``; if empty, that of the environment or OpenAI's."""
    form: Form = "chat"
    temperature: float | None = None
    """This and the following: None to leave the choice to the endpoint."""
    max_tokens: int | None = None
    """The largest number of tokens of a reply, reasoning included."""
    seed: int | None = None
    system: str | None = None
    """A system message before the conversation, unless the conversation has its own."""
    stop: tuple[str, ...] = ()
    """Texts at which the model stops."""
    timeout_s: float = 600.0
    """Seconds for one reply, from the request to its last byte."""
    tries: int = 6
    """How often a request is sent until there is a reply."""
    pause_s: float = 0.5
    """Seconds before the second try; they double with each further try."""

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise InputError("found an empty model name, expected one that the endpoint has")
        if self.form == "completion" and self.system is not None:
            raise InputError("a system message applies to the form chat, not to completion")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise InputError(f"found temperature {self.temperature:g}, expected 0 to 2")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise InputError(f"found {self.max_tokens} tokens at most, expected 1 or more")
        if self.tries < 1:
            raise InputError(f"found {self.tries} tries, expected 1 or more")
        if not 0 < self.timeout_s <= _LONGEST_TIMEOUT_S:
            raise InputError(f"found a time-out of {self.timeout_s:g} s, expected up to a day")
        _check(self.base)

    @property
    def base(self) -> str:
        """The base address: as given, or that of the environment, or OpenAI's."""
        return base_of(self.base_url)

    @property
    def address(self) -> str:
        """The address that receives the requests."""
        return f"{self.base}/{_PATHS[self.form]}"

    @property
    def answering(self) -> dict[str, Any]:
        """What determines the answers: these settings without the address and the patience."""
        values = {
            "model": self.model,
            "form": self.form,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "system": self.system,
            "stop": list(self.stop) or None,
        }
        return {name: value for name, value in values.items() if value is not None}

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of a request beside its messages."""
        values = self.answering
        if self.form == "chat" and self.base == OPENAI and "max_tokens" in values:
            # OpenAI's newer models reject `max_tokens`, other servers may not know its successor.
            values["max_completion_tokens"] = values.pop("max_tokens")
        return {name: values[name] for name in values.keys() - {"form", "system"}}

    def with_system(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Return a conversation with the system message, unless it has its own."""
        if self.system is None or any(message.role == "system" for message in messages):
            return messages
        return (Message("system", self.system), *messages)


def base_of(given: str) -> str:
    """Return a base address: the given one, or that of the environment, or OpenAI's."""
    return (given or os.environ.get(BASE, "").strip() or OPENAI).rstrip("/")


def api_key() -> str:
    """Return the key in the environment; empty if there is none.

    Raises:
        InputError: the key contains a character that a request cannot have.
    """
    key = os.environ.get(KEY, "").strip()
    if not (key.isascii() and (key.isprintable() and " " not in key)):
        raise InputError(f"{KEY} contains a space or a character that is not ASCII")
    return key


def check_key(base: str) -> None:
    """Check that there is a key if the endpoint is OpenAI's, which requires one.

    Raises:
        InputError: there is none.
    """
    if not api_key() and urlsplit(base).hostname == urlsplit(OPENAI).hostname:
        raise InputError(
            f"{base}: found no key, expected one in the environment variable {KEY}; for another "
            "endpoint, give --base-url"
        )


check_client: Final = partial(check_package, "asking a model", "openai", "models")
"""Checks that the client's package is installed."""


REMOVED: Final = f"({KEY})"
"""Replaces the key."""
_SHORTEST_KEY: Final = 6
"""Shorter ones, such as EMPTY, are no secret, and may be words of an answer."""


def without_key(text: str, names: Iterable[str] = ()) -> str:
    """Return a text without the key, which some servers repeat, and without other secrets.

    Args:
        text: any text.
        names: the names of environment variables with further secrets.
    """
    for name in {KEY, *names}:
        secret = os.environ.get(name, "").strip()
        for form in _forms(secret) if len(secret) >= _SHORTEST_KEY else ():
            text = form.sub(f"({name})", text)
    return text


_SECRET: Final = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)\Z", re.IGNORECASE)


def public_environment(names: Iterable[str] = ()) -> dict[str, str]:
    """Return the environment without secrets, which the names of the variables show.

    Args:
        names: variables that are kept in any case.
    """
    kept = {*names}
    return {
        name: value
        for name, value in os.environ.items()
        if name in kept or not _SECRET.search(name)
    }


@cache
def _forms(key: str) -> list[re.Pattern[str]]:
    """Return patterns for a key as it is, escaped, reversed, in hexadecimal and in base64.

    Escapes are those of JSON, addresses and HTML.

    One pattern for all would search five times as long.
    """
    # Three positions in a group of three bytes. The first and the last signs depend on the text
    # around the key.
    coded = [
        b64encode(bytes(before) + key.encode()).decode()[
            (before * 8 + 5) // 6 : (before + len(key)) * 8 // 6
        ]
        for before in range(3)
    ]
    plain = ["".join(map(_sign, each)) for each in (key, key[::-1], *coded)]
    return [re.compile(each) for each in (*plain, f"(?i:{key.encode().hex()})")]


def _sign(sign: str) -> str:
    itself, code = {"+": "[+-]", "/": "[/_]"}.get(sign, re.escape(sign)), f"(?i:{ord(sign):02x})"
    # Only the first backslash of several starts a match, or the time would be quadratic.
    entity = rf"&\#(?:0*+{ord(sign)}|[xX]0*+{code});?"
    return rf"(?:{itself}|\\(?<!\\\\)\\*+(?:{itself}|u00{code})|%{code}|{entity})"


def _check(base: str) -> None:
    """Check an address, which is stored with the answers: it must not contain a password.

    Raises:
        InputError: it is not an address of the Web, or contains more than host, port and path.
    """
    expected = "expected one such as http://localhost:8000/v1"
    try:
        parts = urlsplit(base)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise InputError(f"found an invalid address, {expected}") from None
    if "@" in parts.netloc:
        raise InputError(f"found a user name in the address; the key belongs into {KEY}")
    if parts.query or parts.fragment:
        raise InputError(f"found a '?' or '#' in the address, {expected}")
    if parts.scheme not in ("http", "https") or not has_host:
        raise InputError(f"found the address '{base}', {expected}")
