"""A scripted model, and functions that a model could write, right and wrong."""

from __future__ import annotations

from collections.abc import Sequence

from failing_code import GOAL_24, SUCC_24

from pddl_pipeline.endpoints.settings import Message, Reply


def fenced(code: str) -> str:
    return f"Here it is:\n```python\n{code}\n```\n"


SUCC = fenced(SUCC_24)
GOAL = fenced(GOAL_24)
WRONG_GOAL = fenced("def isgoal(state):\n    return 24 in state")
INCOMPLETE = fenced(SUCC_24.replace("if y else", "if False else"))
UNSOUND = fenced(SUCC_24.replace("rest + [z]", "[z]"))


class Stopped(BaseException):
    """The process ends here."""


class ScriptedModel:
    """A `ChatModel` whose replies are given; it counts what it is asked, and may stop then."""

    def __init__(self, replies: Sequence[str], most: int = 100) -> None:
        self._replies = replies
        self._most = most
        self.asked = list[tuple[Message, ...]]()

    def reply(self, messages: Sequence[Message]) -> Reply:
        if len(self.asked) == self._most:
            raise Stopped
        self.asked.append(tuple(messages))
        number = sum(message.role == "assistant" for message in messages)
        return Reply(self._replies[number], "stop", 7, 3, 0.5)
