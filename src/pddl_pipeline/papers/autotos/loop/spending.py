"""What the stored calls of an experiment have used and cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pddl_pipeline.endpoints.prices import Prices, cost_of, most_tokens
from pddl_pipeline.endpoints.settings import EndpointSettings, Message
from pddl_pipeline.papers.autotos.loop.call_store import StoredCall
from pddl_pipeline.papers.autotos.loop.opening import SYSTEM


def spent_on(
    conversations: Iterable[Sequence[StoredCall]], prices: Prices, settings: EndpointSettings
) -> Fraction:
    """Return what stored calls have cost.

    If the endpoint did not report tokens, their largest possible number counts.

    Args:
        conversations: the calls of each conversation, in their order.
        prices: the prices of the tokens.
        settings: how the model is asked.
    """
    spent = Fraction(0)
    for calls in conversations:
        messages = [Message("system", SYSTEM)]
        for request, reply, _ in calls:
            messages.append(Message("user", request.prompt))
            used = reply.prompt_tokens, reply.completion_tokens
            spent += cost_of(prices, used, most_tokens(messages, settings))
            messages.append(Message("assistant", reply.text))
    return spent
