"""A published conversation in place of a model."""

from __future__ import annotations

from collections.abc import Sequence

from pddl_pipeline.autotos_loop.published_log import PublishedLog
from pddl_pipeline.endpoints.conversation import Message, Reply
from pddl_pipeline.model.errors import InputError


class ReplayedModel:
    """Replies with the replies of a log, in their order; a `ChatModel`."""

    def __init__(self, log: PublishedLog) -> None:
        self._log = log

    def reply(self, messages: Sequence[Message]) -> Reply:
        """Return the reply that the log has after as many replies as the conversation has.

        Raises:
            InputError: the log has no further reply.
        """
        number = sum(message.role == "assistant" for message in messages)
        if number >= len(self._log.calls):
            raise InputError(
                f"has {number} replies, but the loop asks once more: "
                f"{messages[-1].text.strip().splitlines()[0][:80]}",
                file=self._log.file,
            )
        return Reply(self._log.calls[number].reply, "stop")
