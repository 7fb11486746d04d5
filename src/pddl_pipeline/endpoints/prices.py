"""The prices of a model's tokens, and a budget that is not exceeded."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

import msgspec

from pddl_pipeline.endpoints.settings import EndpointSettings, Message, Reply
from pddl_pipeline.io.synced_lines import append_to, cut_torn_line
from pddl_pipeline.model.errors import InputError, PipelineError, StoreError
from pddl_pipeline.model.number import parse_decimal
from pddl_pipeline.model.text import counted

Tokens = tuple[int, int]
"""The tokens of a request and of its reply."""
NOTHING: Final[Tokens] = (0, 0)
_MILLION: Final = 10**6
_TEMPLATE_TOKENS: Final = 100
_MESSAGE_TOKENS: Final = 10
"""More than the texts that chat templates put before a conversation and around a message."""


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of a million tokens, in any currency."""

    prompt: Fraction
    completion: Fraction

    def cost(self, prompt_tokens: int, completion_tokens: int) -> Fraction:
        """Return the price of a request and its reply."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / _MILLION


FREE: Final = Prices(Fraction(0), Fraction(0))


def parse_prices(text: str) -> Prices:
    """Return the prices in a text such as ``0.15,0.60``: of the prompt's and the reply's tokens.

    Raises:
        InputError: the text is not two prices.
    """
    parts = text.split(",")
    expected = "expected two prices per million tokens such as 0.15,0.60"
    if len(parts) != 2:
        raise InputError(f"found '{text}', {expected}")
    return Prices(*(parse_money(part, expected) for part in parts))


def parse_money(text: str, expected: str = "expected an amount such as 2.50") -> Fraction:
    """Return an amount of money.

    Raises:
        InputError: the text is not one, or is negative.
    """
    try:
        amount = Fraction(parse_decimal(text.strip()))
    except ValueError:
        amount = Fraction(-1)
    if amount < 0:
        raise InputError(f"found '{text}', {expected}")
    return amount


def most_tokens(messages: Sequence[Message], settings: EndpointSettings) -> Tokens:
    """Return upper bounds of the tokens of a request and of its reply.

    No token is less than a byte. The second bound is 0 if the settings have none.
    """
    sent = settings.with_system(messages)
    texts = sum(len(message.text.encode()) for message in sent)
    return texts + _MESSAGE_TOKENS * len(sent) + _TEMPLATE_TOKENS, settings.max_tokens or 0


class OutOfBudget(PipelineError):
    """The next request might exceed the budget."""


class Budget:
    """What the requests cost, with the largest possible cost of those without a reply."""

    def __init__(self, prices: Prices = FREE, most: Fraction | None = None) -> None:
        """Start with nothing spent; `most` is None for no limit."""
        self.prices = prices
        self.record: Path | None = None
        """The file that gets each request before it is sent; None for no file."""
        self._most = most
        self._last = 0
        self._lost: dict[int, Tokens] = {}
        """The upper bounds of the requests without a reply, those under way included."""
        self._used = NOTHING
        """By all replies."""
        self._under_way = 0
        self._settled = asyncio.Event()

    def keep(self, record: Path, stored: Iterable[tuple[Reply, Tokens]]) -> None:
        """Read what earlier calls spent; from now on, record each request before it is sent.

        A line is a list of a request's number and the upper bounds of its tokens. A further line
        with 0 says that the endpoint rejected it. A stored reply with its number replaces both.

        Args:
            record: the file of the requests, which is created if it does not exist.
            stored: the stored replies, with the upper bounds of their tokens.

        Raises:
            StoreError: the file cannot be read or written.
        """
        number = 0
        try:
            record.touch()
            cut_torn_line(record)
            for text in record.read_bytes().splitlines():
                number += 1
                request, most = msgspec.json.decode(text, type=tuple[int, Tokens])
                self._lost[request] = most
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise StoreError(f"{record}:{number}: found no request: {error}") from error
        self.record, self._last = record, max(self._lost, default=0)
        for reply, most in stored:
            self._last = max(self._last, reply.request)
            self._lost[reply.request] = NOTHING
            self._use(tokens_of(reply, most))
        self._lost = {request: most for request, most in self._lost.items() if most != NOTHING}

    @property
    def spent(self) -> Fraction:
        """What was spent; for requests without a reply, the largest possible cost."""
        return self.prices.cost(*map(sum, zip(self._used, *self._lost.values(), strict=True)))

    @property
    def lost(self) -> int:
        """Number of requests without a reply that may have to be paid for."""
        return len(self._lost)

    def _use(self, tokens: Tokens) -> None:
        self._used = self._used[0] + tokens[0], self._used[1] + tokens[1]

    def _write(self, number: int, tokens: Tokens) -> None:
        if self.record is not None:
            append_to(self.record, msgspec.json.encode((number, tokens)) + b"\n")

    async def reserve(self, most: Tokens) -> int:
        """Record a request before it is sent; wait if others may leave enough money for it.

        Args:
            most: upper bounds of its tokens.

        Returns:
            The number of the request.

        Raises:
            OutOfBudget: it might exceed the budget.
            StoreError: the record cannot be written.
        """
        cost = self.prices.cost(*most)
        unlimited = sum(not completion for _, completion in self._lost.values())
        if self._most is not None and unlimited:
            said = f"{counted(unlimited, 'request')} without --max-tokens got no reply, and"
            raise OutOfBudget(f"{said} may have cost any amount; use another file of answers")
        while self._most is not None and self.spent + cost > self._most:
            # Requests under way may cost less than they reserved. Without any, waiting is useless.
            if not self._under_way:
                said = f"{float(self.spent):.4f} is spent, and the next request may cost"
                raise OutOfBudget(f"{said} {float(cost):.4f}")
            await self._settled.wait()
        self._last += 1
        # First on the disk: after a crash, a request that was sent still counts.
        self._write(self._last, most)
        self._lost[self._last] = most
        self._under_way += 1
        return self._last

    def settle(self, number: int, used: Tokens | None) -> None:
        """Replace the upper bounds of a request by its tokens; None if its reply was lost.

        Raises:
            StoreError: the record cannot be written.
        """
        self._under_way -= 1
        # Wakes all waiting requests; those that wait again need an event that is not set.
        self._settled.set()
        self._settled = asyncio.Event()
        # A request without a reply keeps its reservation, since it may have been charged.
        if used is not None:
            del self._lost[number]
            self._use(used)
        if used == NOTHING:
            self._write(number, NOTHING)


def tokens_of(reply: Reply, most: Tokens) -> Tokens:
    """Return the tokens of a request; the upper bound for numbers that are not reported."""
    prompt, completion = reply.prompt_tokens, reply.completion_tokens
    return most[0] if prompt is None else prompt, most[1] if completion is None else completion
