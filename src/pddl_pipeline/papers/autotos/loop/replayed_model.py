"""A published conversation in place of a model."""

from __future__ import annotations

from collections.abc import Sequence

from pddl_pipeline.endpoints.settings import Message, Reply
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.autotos.loop.published_log import PublishedLog, asked_for
from pddl_pipeline.planners.functions.guarded import ISGOAL, SUCC


class ReplayedModel:
    """Replies with the replies of a log, in their order; a `ChatModel`."""

    def __init__(self, log: PublishedLog) -> None:
        self._log = log

    def reply(self, messages: Sequence[Message]) -> Reply:
        """Return the reply that the log has after as many replies as the conversation has.

        Raises:
            InputError: the log has no further reply, or its next one is for the other function.
        """
        number = sum(message.role == "assistant" for message in messages)
        prompt = messages[-1].text
        function = asked_for(prompt)[0] or (ISGOAL if number else SUCC)
        if number >= len(self._log.calls):
            raise InputError(
                f"found no reply {number + 1}, but the loop asks for {function}: "
                f"{prompt.strip().splitlines()[0][:80]}",
                file=self._log.file,
            )
        call = self._log.calls[number]
        if call.function != function:
            raise InputError(
                f"found a reply to a prompt for {call.function}, but the loop asks for {function}: "
                f"{prompt.strip().splitlines()[0][:80]}",
                file=self._log.file, line=call.line,
            )  # fmt: skip
        return Reply(call.reply, "stop")
