"""A model whose requests count towards a budget."""

from __future__ import annotations

from collections.abc import Sequence

from pddl_pipeline.endpoints.conversation import Message, Reply
from pddl_pipeline.endpoints.endpoint import Endpoint
from pddl_pipeline.endpoints.prices import Budget, RequestCost


class MeteredModel:
    """An endpoint that is asked only what the budget covers; a `ChatModel`."""

    def __init__(self, endpoint: Endpoint, budget: Budget) -> None:
        self._endpoint = endpoint
        self._budget = budget

    def reply(self, messages: Sequence[Message]) -> Reply:
        """Return the reply to a conversation whose last message is the user's.

        Raises:
            OutOfBudget: the request might exceed the budget. It was not sent, or it was sent and
                the next try might exceed the budget.
            Rejected, Unreachable, NoAnswer: as for `Endpoint.reply`.
        """
        meter = RequestCost(self._budget, messages, self._endpoint.settings)
        return self._endpoint.reply(messages, meter=meter)
