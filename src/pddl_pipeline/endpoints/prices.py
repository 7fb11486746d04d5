"""The prices of a model's tokens, and a budget that is not exceeded."""

from __future__ import annotations

import asyncio
from collections import Counter
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
        self._most = most
        self._record: Path | None = None
        self._sum = Counter[str]()
        self._open = 0
        self._settled = asyncio.Event()

    def keep(self, record: Path, before: Iterable[Tokens]) -> None:
        """Read what earlier calls spent; from now on, record each request before it is sent.

        The sum of all lines is what was spent: a request that is sent adds the upper bounds of its
        tokens, and its reply the difference to them.

        Args:
            record: the file of the requests, which is created if it does not exist.
            before: the tokens of the stored replies, which count if it does not exist.

        Raises:
            StoreError: the file cannot be read or written.
        """
        try:
            record.touch()
            cut_torn_line(record)
            for line in record.read_bytes().splitlines():
                self._sum.update(msgspec.json.decode(line, type=dict[str, int]), lines=1)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            place = f"{record}:{self._sum['lines'] + 1}"
            raise StoreError(f"{place}: found no request that was sent: {error}") from error
        self._record = record
        if not self._sum["lines"]:
            found = [*before]
            self._add(0, (sum(each[0] for each in found), sum(each[1] for each in found)))

    @property
    def spent(self) -> Fraction:
        """What was spent; for requests without a reply, the largest possible cost."""
        return self.prices.cost(self._sum["prompt_tokens"], self._sum["completion_tokens"])

    @property
    def lost(self) -> int:
        """Number of requests without a reply that may have to be paid for."""
        return self._sum["requests"]

    def _add(self, requests: int, tokens: Tokens, *, is_limited: bool = True) -> None:
        entry = {
            "requests": requests,
            "unlimited_requests": 0 if is_limited else requests,
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
        }
        if self._record is not None:
            append_to(self._record, msgspec.json.encode(entry) + b"\n")
        self._sum.update(entry)

    async def reserve(self, most: Tokens) -> None:
        """Record a request before it is sent; wait if others may leave enough money for it.

        Args:
            most: upper bounds of its tokens.

        Raises:
            OutOfBudget: it might exceed the budget.
            StoreError: the record cannot be written.
        """
        cost, unlimited = self.prices.cost(*most), self._sum["unlimited_requests"]
        if self._most is not None and unlimited:
            said = f"{counted(unlimited, 'request')} without --max-tokens got no reply, and"
            raise OutOfBudget(f"{said} may have cost any amount; use another file of answers")
        while self._most is not None and self.spent + cost > self._most:
            if not self._open:
                said = f"{float(self.spent):.4f} is spent, and the next request may cost"
                raise OutOfBudget(f"{said} {float(cost):.4f}")
            await self._settled.wait()
        self._add(1, most, is_limited=most[1] > 0)
        self._open += 1

    def settle(self, most: Tokens, used: Tokens | None) -> None:
        """Replace the upper bounds of a request by its tokens; None if its reply was lost.

        Raises:
            StoreError: the record cannot be written.
        """
        self._open -= 1
        self._settled.set()
        self._settled = asyncio.Event()
        if used is not None:
            more = used[0] - most[0], used[1] - most[1]
            self._add(-1, more, is_limited=most[1] > 0)


def tokens_of(reply: Reply, most: Tokens) -> Tokens:
    """Return the tokens of a request; the upper bound for numbers that are not reported."""
    prompt, completion = reply.prompt_tokens, reply.completion_tokens
    return most[0] if prompt is None else prompt, most[1] if completion is None else completion
