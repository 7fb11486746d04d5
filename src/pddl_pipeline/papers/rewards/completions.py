"""A client of OpenAI's completions protocol that requests the log-probabilities of given texts.

``POST <base>/completions`` with ``echo`` and ``logprobs`` returns the log-probability of each token
of a prompt, which includes the tokens of a continuation. vLLM and other servers support the same
protocol.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec

from pddl_pipeline.endpoints.endpoint import PASSING, NoAnswer, Rejected, asked_to_wait_s, pauses
from pddl_pipeline.endpoints.settings import api_key, base_of

_BATCH: Final = 32
"""Number of prompts in one request."""
_LONGEST_WAIT_S: Final = 60.0


class Continuation(NamedTuple):
    """A text and a continuation of it."""

    before: str
    text: str


class _Logprobs(msgspec.Struct):
    tokens: list[str]
    token_logprobs: list[float | None]


class _Choice(msgspec.Struct):
    index: int
    logprobs: _Logprobs


class _Answer(msgspec.Struct):
    choices: list[_Choice]


@dataclass(frozen=True, slots=True)
class Completions:
    """An endpoint and a model."""

    model: str
    base: str
    """Address without ``/completions``; if empty, that of the environment or OpenAI's."""
    timeout: float
    """Seconds for one answer."""
    tries: int
    pause: float
    """Seconds before the second try; they double with each further try."""

    def token_logprobs(self, asked: Sequence[Continuation]) -> list[list[float]]:
        """Return the natural log-probabilities of each continuation's tokens.

        Raises:
            Rejected: the endpoint rejects the request.
            NoAnswer: the endpoint does not answer, or does not follow the protocol.
        """
        found: list[list[float]] = []
        for start in range(0, len(asked), _BATCH):
            found += self._batch(asked[start : start + _BATCH])
        return found

    def _batch(self, asked: Sequence[Continuation]) -> list[list[float]]:
        body = {
            "model": self.model,
            "prompt": [before + text for before, text in asked],
            # Generate one token: some servers reject a request for none.
            "max_tokens": 1,
            "temperature": 0,
            "echo": True,
            "logprobs": 1,
        }
        fault, wait = "", 0.0
        for pause in pauses(self.pause, self.tries):
            time.sleep(max(pause, min(wait, _LONGEST_WAIT_S)))
            try:
                return _read(self._post(body), asked)
            except urllib.error.HTTPError as error:
                said = error.read(500).decode(errors="replace")
                if error.code not in PASSING:
                    raise Rejected(self._address, error.code, said) from None
                fault = f"HTTP {error.code} {said}".rstrip()
                wait = asked_to_wait_s(error.headers.get("Retry-After"))
            except (OSError, ValueError, msgspec.DecodeError) as error:
                # OSError: the connection failed, was lost or timed out.
                fault, wait = str(error) or type(error).__name__, 0.0
        raise NoAnswer(self._address, self.tries, fault)

    @property
    def _address(self) -> str:
        return f"{base_of(self.base)}/completions"

    def _post(self, body: dict[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json"}
        if key := api_key():
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(  # noqa: S310 -- checked to be http
            self._address, json.dumps(body).encode(), headers
        )
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
            content: bytes = answer.read()
        return content


def _read(content: bytes, asked: Sequence[Continuation]) -> list[list[float]]:
    """Return the log-probabilities in an answer.

    Raises:
        ValueError: the answer does not have them.
    """
    choices = msgspec.json.decode(content, type=_Answer).choices
    if sorted(each.index for each in choices) != list(range(len(asked))):
        raise ValueError(f"expected {len(asked)} choices, found {len(choices)}")
    choices.sort(key=lambda each: each.index)
    return [_part(each.logprobs, one) for each, one in zip(choices, asked, strict=True)]


def _part(found: _Logprobs, asked: Continuation) -> list[float]:
    """Return the log-probabilities of all tokens that overlap a continuation.

    Offsets are computed here, since the offsets of servers may or may not count start tokens.
    """
    begin = "".join(found.tokens).find(asked.before + asked.text)
    if begin < 0:
        raise ValueError("the tokens in the answer do not spell the prompt")
    first, last = begin + len(asked.before), begin + len(asked.before) + len(asked.text)
    values, place = [], 0
    for token, value in zip(found.tokens, found.token_logprobs, strict=True):
        if place < last and place + len(token) > first:
            if value is None or not value > -1e9:
                raise ValueError(f"no log-probability of the token '{token}'")
            values.append(min(value, 0.0))
        place += len(token)
    return values
