"""The prices of a model's tokens, and a budget that is not exceeded."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pddl_pipeline.endpoints.settings import EndpointSettings, Message
from pddl_pipeline.model.errors import InputError, PipelineError
from pddl_pipeline.model.number import parse_decimal

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


def most_tokens(messages: Sequence[Message], settings: EndpointSettings) -> tuple[int, int]:
    """Return upper bounds of the tokens of a request and of its reply.

    No token is less than a byte. The second bound is 0 if the settings have none.
    """
    sent = settings.with_system(messages)
    texts = sum(len(message.text.encode()) for message in sent)
    return texts + _MESSAGE_TOKENS * len(sent) + _TEMPLATE_TOKENS, settings.max_tokens or 0


class OutOfBudget(PipelineError):
    """The next request might exceed the budget."""


class Budget:
    """What the requests cost, with the largest possible cost of those that are under way."""

    def __init__(self, prices: Prices = FREE, most: Fraction | None = None) -> None:
        """Start with nothing spent; `most` is None for no limit."""
        self.prices = prices
        self.spent = Fraction(0)
        """Includes the largest possible cost of requests whose reply was lost."""
        self.lost = 0
        """Number of requests whose reply was lost although it may have to be paid for."""
        self._most = most
        self._reserved = Fraction(0)
        self._settled = asyncio.Event()

    async def reserve(self, cost: Fraction) -> None:
        """Count a request as under way; wait if others may leave enough money for it.

        Raises:
            OutOfBudget: it might exceed the budget.
        """
        while self._most is not None and self.spent + self._reserved + cost > self._most:
            if not self._reserved:
                said = f"{float(self.spent):.4f} is spent, and the next request may cost"
                raise OutOfBudget(f"{said} {float(cost):.4f}")
            await self._settled.wait()
        self._reserved += cost

    def settle(self, reserved: Fraction, cost: Fraction | None) -> None:
        """Replace the reserved cost of a request by the real one; None if its reply was lost."""
        self._reserved -= reserved
        self.spent += reserved if cost is None else cost
        self.lost += cost is None
        self._settled.set()
        self._settled = asyncio.Event()


def cost_of(prices: Prices, used: tuple[int | None, int | None], most: tuple[int, int]) -> Fraction:
    """Return the cost of a reply; the upper bound for numbers that the endpoint does not report."""
    prompt, completion = (
        bound if count is None else count for count, bound in zip(used, most, strict=True)
    )
    return prices.cost(prompt, completion)
