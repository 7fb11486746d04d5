"""A model behind an endpoint that follows OpenAI's protocol; the extra ``models``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from fractions import Fraction
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from pddl_pipeline.endpoints.conversation import Message, Reply
from pddl_pipeline.endpoints.errors import NoAnswer, Rejected, Unreachable
from pddl_pipeline.endpoints.prices import Budget, cost_of, most_tokens
from pddl_pipeline.endpoints.response import LARGEST_BYTES, read_reply
from pddl_pipeline.endpoints.retries import LONGEST_WAIT_S, PASSING, asked_to_wait_s, pauses
from pddl_pipeline.endpoints.settings import EndpointSettings, api_key, check_client, check_key
from pddl_pipeline.model.errors import InputError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Result = TypeVar("Result")
_CONNECT_S: Final = 20.0


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
        prices, tries = self._budget.prices, self.settings.tries
        fault = _Failure("nothing was tried")
        for pause in pauses(self.settings.pause_s, tries):
            await asyncio.sleep(max(pause, fault.wait_s))
            await self._budget.reserve(prices.cost(*most))
            # None if the endpoint may have produced a reply, which is then paid for.
            cost: Fraction | None = None
            try:
                reply = await self._try(body)
                cost = cost_of(prices, (reply.prompt_tokens, reply.completion_tokens), most)
            except _Failure as error:
                fault, cost = error, None if error.may_cost else Fraction(0)
            except InputError:
                cost = Fraction(0)
                raise
            else:
                return reply
            finally:
                self._budget.settle(prices.cost(*most), cost)
            if fault.wait_s > LONGEST_WAIT_S:
                said = f"{fault}; the endpoint asks to wait {fault.wait_s:.0f} s"
                raise NoAnswer(self.settings.address, 1, said)
        raise NoAnswer(self.settings.address, tries, str(fault))

    def _body(self, messages: Sequence[Message], seed: int | None) -> dict[str, Any]:
        body = dict(self.settings.parameters)
        if seed is not None:
            body["seed"] = seed
        if self.settings.form == "completion":
            return {**body, "prompt": "\n\n".join(message.text for message in messages)}
        sent = self.settings.with_system(messages)
        return {**body, "messages": [{"role": each.role, "content": each.text} for each in sent]}

    async def _try(self, body: Mapping[str, Any]) -> Reply:
        import httpx2  # noqa: PLC0415 -- an extra
        import openai  # noqa: PLC0415 -- an extra

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
            wait = asked_to_wait_s(error.response.headers.get("retry-after"))
            found = f"HTTP {error.status_code} {said}".rstrip()
            raise _Failure(found, wait_s=wait) from None
        except (httpx2.HTTPError, ValueError) as error:
            # HTTPError: the connection was cut in the middle of the response.
            raise _Failure(_reason(error), may_cost=True) from None
        self._was_reached = True
        return reply

    async def _sent(self, body: Mapping[str, Any]) -> bytes:
        """Send a request; return the body of the response.

        Raises:
            ValueError: the body is too long to be a reply.
        """
        from openai import Omit  # noqa: PLC0415 -- an extra

        # A local server may need no key; then the request has none.
        headers = None if api_key() else {"Authorization": Omit()}
        made = self._client.chat.completions if "messages" in body else self._client.completions
        content = bytearray()
        sent = made.with_streaming_response.create(**body, extra_headers=headers)
        async with sent as response:
            async for part in response.iter_bytes():
                content += part
                if len(content) > LARGEST_BYTES:
                    raise ValueError(f"a response of more than {LARGEST_BYTES >> 20} MiB")
        return bytes(content)

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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _client(settings: EndpointSettings) -> AsyncOpenAI:
    check_client()
    from openai import AsyncOpenAI, Timeout  # noqa: PLC0415 -- an extra

    return AsyncOpenAI(
        api_key=api_key() or "none",
        base_url=settings.base,
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
