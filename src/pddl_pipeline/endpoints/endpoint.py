"""A model behind an endpoint that follows OpenAI's protocol; the extra ``models``.

Responses are read tolerantly, since servers differ.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import re
import time
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, aclosing
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pddl_pipeline.endpoints.prices import NOTHING, Budget, Tokens, most_tokens, tokens_of
from pddl_pipeline.endpoints.settings import (
    KEY,
    REMOVED,
    EndpointSettings,
    Message,
    Reply,
    api_key,
    check_client,
    check_key,
    without_key,
)
from pddl_pipeline.model.errors import InputError, PipelineError
from pddl_pipeline.model.text import counted

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Result = TypeVar("Result")
# A server that is there accepts a connection at once, even if its reply takes minutes.
_CONNECT_S: Final = 20.0
_WAIT: Final = "Retry-After"


class _Failure(Exception):
    """A try failed, and the next one may succeed."""

    def __init__(self, fault: str, *, may_cost: bool = False, wait_s: float = 0.0) -> None:
        super().__init__(fault)
        self.may_cost = may_cost
        """Whether the endpoint may have produced a reply."""
        self.wait_s = wait_s
        """Seconds that the server asks to wait."""


class AsyncEndpoint(AbstractAsyncContextManager["AsyncEndpoint"]):
    """A client for one model, in an event loop. Requests may run at the same time."""

    def __init__(self, settings: EndpointSettings, budget: Budget | None = None) -> None:
        """Prepare the client; this sends nothing.

        Args:
            settings: the endpoint and the model.
            budget: counts the cost, and limits it; None to count nothing.

        Raises:
            EngineError: the package of the client is not installed.
            InputError: the key is missing or invalid.
        """
        check_key(settings.base)
        self.settings = settings
        self._budget = budget or Budget()
        self._client = _client(settings)
        self._was_reached = False

    async def reply(self, messages: Sequence[Message], *, seed: int | None = None) -> Reply:
        """Return the reply to a conversation whose last message is the user's.

        A request that fails in a way that may pass is repeated: a time-out, a lost connection, a
        response that does not follow the protocol, and the statuses of `PASSING`.

        Args:
            messages: the conversation. In the form ``completion``, its texts are joined by blank
                lines.
            seed: replaces the seed of the settings.

        Raises:
            OutOfBudget: the next try might exceed the budget.
            Rejected: the endpoint rejects the request.
            Unreachable: no connection could be made, and none was made before.
            NoAnswer: all tries failed.
        """
        body, most = self._body(messages, seed), most_tokens(messages, self.settings)
        fault = _Failure("nothing was tried")
        for pause in pauses(self.settings.pause_s, self.settings.tries):
            await asyncio.sleep(max(pause, fault.wait_s))
            number = await self._budget.reserve(most)
            # None if the endpoint may have produced a reply, which is then paid for.
            used: Tokens | None = None
            try:
                reply = await self._try(body)
                used = tokens_of(reply, most)
            except _Failure as error:
                fault, used = error, None if error.may_cost else NOTHING
            except InputError:
                used = NOTHING
                raise
            else:
                return replace(reply, request=number if self._budget.record else 0)
            finally:
                self._budget.settle(number, used)
            # A quota that is used up for the day; waiting would look like a hang.
            if fault.wait_s > LONGEST_WAIT_S:
                said = f"{fault}; the endpoint asks to wait {fault.wait_s:.0f} s"
                raise NoAnswer(self.settings.address, 1, said)
        raise NoAnswer(self.settings.address, self.settings.tries, str(fault))

    def _body(self, messages: Sequence[Message], seed: int | None) -> dict[str, Any]:
        body = dict(self.settings.parameters)
        if seed is not None:
            body["seed"] = seed
        if self.settings.form == "completion":
            return {**body, "prompt": "\n\n".join(message.text for message in messages)}
        sent = self.settings.with_system(messages)
        return {**body, "messages": [{"role": each.role, "content": each.text} for each in sent]}

    async def _try(self, body: Mapping[str, Any]) -> Reply:
        import httpx2  # an extra
        import openai  # an extra

        start, limit = time.monotonic(), self.settings.timeout_s
        try:
            # The client's own limit is for each part of a response, and a slow one has many.
            async with asyncio.timeout(limit):
                content = await self._sent(body)
            reply = read_reply(content, round(time.monotonic() - start, 3))
        except (TimeoutError, openai.APITimeoutError):
            raise _Failure(f"no reply in {limit:g} s", may_cost=True) from None
        except openai.APIConnectionError as error:
            cause = error.__cause__
            has_server = not isinstance(cause, httpx2.ConnectError)
            if not has_server and not self._was_reached:
                raise Unreachable(self.settings.address, _reason(cause or error)) from None
            raise _Failure(_reason(cause or error), may_cost=has_server) from None
        except openai.APIStatusError as error:
            self._was_reached = True
            said = _said(error)
            if error.status_code not in PASSING:
                raise Rejected(self.settings.address, error.status_code, said) from None
            wait = asked_to_wait_s(error.response.headers[_WAIT])
            found = f"HTTP {error.status_code} {said}".rstrip()
            raise _Failure(found, may_cost=error.status_code not in REFUSED, wait_s=wait) from None
        except ValueError as error:
            raise _Failure(_reason(error), may_cost=True) from None
        self._was_reached = True
        return reply

    async def _sent(self, body: Mapping[str, Any]) -> bytes:
        """Send a request; return the body of the response."""
        from openai import Omit  # an extra

        # A local server may need no key; then the request has none.
        headers = None if api_key() else {"Authorization": Omit()}
        made = self._client.chat.completions if "messages" in body else self._client.completions
        response = await made.with_raw_response.create(**body, extra_headers=headers)
        return bytes(response.content)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def __aexit__(self, *error: object) -> None:
        await self.close()


class Endpoint(AbstractContextManager["Endpoint"]):
    """A client for one model, for a caller without an event loop: a `ChatModel`."""

    # The loop runs in a separate thread, so that a caller in a notebook, which runs in a loop,
    # can use this, too.

    def __init__(self, settings: EndpointSettings, budget: Budget | None = None) -> None:
        """Prepare the client; this sends nothing.

        Raises:
            EngineError, InputError: as for `AsyncEndpoint`.
        """
        self._endpoint = AsyncEndpoint(settings, budget)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def reply(self, messages: Sequence[Message]) -> Reply:
        """Return the reply to a conversation whose last message is the user's.

        Raises:
            OutOfBudget, Rejected, Unreachable, NoAnswer: as for `AsyncEndpoint.reply`.
        """
        return self._wait(self._endpoint.reply(messages))

    def _wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Close the connections, and end the thread."""
        if self._thread.is_alive():
            self._wait(self._endpoint.close())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def __exit__(self, *error: object) -> None:
        self.close()


def _client(settings: EndpointSettings) -> AsyncOpenAI:
    check_client()
    from httpx2 import Request, Response  # an extra
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout  # an extra

    class Client(DefaultAsyncHttpxClient):
        """Receives whole responses, without the key and without headers that are not read."""

        async def send(self, request: Request, **how: Any) -> Response:
            received = await super().send(request, **(how | {"stream": True}))
            content = bytearray()
            async with aclosing(received):
                async for part in received.aiter_bytes():
                    content += part
                    if len(content) > LARGEST_BYTES:
                        raise ValueError(f"a response of more than {LARGEST_BYTES >> 20} MiB")
            headers = {_WAIT: received.headers.get(_WAIT, "")}
            # Any byte is a character of Latin-1.
            text = without_key(content.decode("latin-1")).encode("latin-1")
            return Response(received.status_code, headers=headers, content=text, request=request)

    return AsyncOpenAI(
        api_key=api_key() or "none",
        base_url=settings.base,
        http_client=Client(),
        # The tries are counted here: the client does not repeat what is not of the protocol.
        max_retries=0,
        timeout=Timeout(settings.timeout_s, connect=min(_CONNECT_S, settings.timeout_s)),
    )


def _said(error: Any) -> str:
    """Return the message in a response with an error status, or its text."""
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        return str(body["message"])
    return str(error.response.text)


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__


_EXPECTED: Final = {
    401: f"a valid key in the environment variable {KEY}",
    403: f"a key in {KEY} that has access to the model",
    404: "an address and a model that the endpoint has",
}


class Rejected(InputError):
    """The endpoint rejects the request, and would reject it again."""

    def __init__(self, address: str, status: int, said: str) -> None:
        """Describe the rejection.

        Args:
            address: the address of the request.
            status: the HTTP status of the response.
            said: what the endpoint wrote.
        """
        expected = _EXPECTED.get(status, "a request that the endpoint accepts")
        found = f"found HTTP {status} {shown(said)}".rstrip()
        super().__init__(f"{found}; expected {expected}", file=address)
        self.status = status

    @property
    def concerns_all(self) -> bool:
        """Whether other prompts would be rejected, too: the key, the model or the address."""
        return self.status in _EXPECTED


class Unreachable(InputError):
    """There is no server at the address."""

    def __init__(self, address: str, fault: str) -> None:
        """Describe the failure; `fault` is what the system reports."""
        super().__init__(
            f"found no server ({shown(fault)}), expected a running endpoint", file=address
        )


class NoAnswer(PipelineError):
    """The endpoint returned no usable answer in any of the tries."""

    def __init__(self, address: str, tries: int, fault: str) -> None:
        """Describe the failure.

        Args:
            address: the address of the requests.
            tries: their number.
            fault: what went wrong the last time.
        """
        times = "1 try" if tries == 1 else f"{tries} tries"
        super().__init__(f"{address} returned no answer in {times}: {shown(fault)}")


def shown(said: str) -> str:
    """Return what a server wrote as part of a line: short, printable, and without the key."""
    words = " ".join(said.split())
    return without_key("".join(sign for sign in words if sign.isprintable()))[:300]


LARGEST_BYTES: Final = 2**26
"""Longest response that is read; the longest replies of models have a few MiB. A larger number of
tokens is an error of the endpoint."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


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
        # Unlike msgspec, this reads NaN, integers of any length, and unpaired surrogates.
        response = json.loads(content.decode("utf-8", "surrogateescape"), parse_int=float)
        choice = response["choices"][0]
        # Of a chat, or of a completion.
        message = choice.get("message") or {"content": choice.get("text")}
        text = _text(message.get("content"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"a response that is not of the protocol: {error!r}") from None
    # A usable text is not requested again, whatever the other fields are.
    usage = response.get("usage")
    reported = {
        name: usage.get(name) if isinstance(usage, dict) else None
        for name in ("prompt_tokens", "completion_tokens")
    }
    counts = {name: _count(each) for name, each in reported.items()}
    notes = [
        f"{name}: found {shown(json.dumps(each))}"
        for name, each in reported.items()
        if each is None or each != counts[name]
    ]
    if half := _SURROGATE.findall(text):
        notes.append(f"replaced {counted(len(half), 'unpaired surrogate')} by U+FFFD")
    text = _valid(text)
    if REMOVED in text or REMOVED.encode() in content:
        notes.append("removed the key, which the response repeated")
    return Reply(
        text=text,
        finish_reason=_valid(choice.get("finish_reason"))
        or ("tool_calls" if message.get("tool_calls") else ""),
        prompt_tokens=counts["prompt_tokens"],
        completion_tokens=counts["completion_tokens"],
        seconds=seconds,
        served_model=_valid(response.get("model")),
        notes=tuple(notes),
    )


def _text(content: Any) -> str:
    parts = content if isinstance(content, list) else [{"text": content}]
    return "".join(part.get("text") or "" for part in parts)


def _valid(text: Any) -> str:
    """Return a text that can be stored; empty if it is no text."""
    return without_key(_SURROGATE.sub("\ufffd", text)) if isinstance(text, str) else ""


def _count(tokens: Any) -> int | None:
    """Return a number of tokens, rounded up; None if it is none."""
    return math.ceil(tokens) if isinstance(tokens, float) and 0 <= tokens <= LARGEST_BYTES else None


PASSING: Final = frozenset({408, 409, 425, 429, *range(500, 600)})
"""HTTP statuses after which the same request may succeed."""
REFUSED: Final = frozenset({409, 425, 429, 503, 529})
"""Those that a server returns at once, without a reply that may have to be paid for."""
LONGEST_WAIT_S: Final = 300.0
"""A server that asks for a longer wait is not asked again."""
_LONGEST_PAUSE_S: Final = 60.0


def pauses(first: float, tries: int) -> Iterator[float]:
    """Yield the seconds to wait before each try: 0, then about `first`, doubled each time.

    Each is shortened by up to a quarter at random, so that requests that failed together do not
    come back together.
    """
    yield 0.0
    for number in range(tries - 1):
        share = random.uniform(0.75, 1.0)
        yield share * min(first * 2 ** min(number, 30), _LONGEST_PAUSE_S)


def asked_to_wait_s(header: str | None) -> float:
    """Return the seconds that the header ``Retry-After`` asks for; 0 if it does not.

    The header is a number of seconds or a date, RFC 9110, section 10.2.3.
    """
    text = (header or "").strip()
    try:
        if text[:1].isdecimal():
            return max(0.0, float(text))
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return 0.0
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
