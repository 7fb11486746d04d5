"""Tree of Thoughts' rewards on countdown: a model proposes steps and values what is left.

As in Yao et al. (2023), one answer proposes the steps of a state, and three answers value the
numbers that are left after each. The search is `tot` with its breadth of 5. Its states are exact,
so the results that a model states are not used, and its last two prompts are not needed: a last
number is the target or not, and the steps give the expression.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf, log
from typing import Final

from pddl_pipeline.endpoints.endpoint import Endpoint
from pddl_pipeline.endpoints.settings import EndpointSettings, Message, Reply
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.operations import SIGNS, combine
from pddl_pipeline.model.plan import Step
from pddl_pipeline.papers.model_reward import subject_of
from pddl_pipeline.papers.rewards import ActionScore, Option, Reward, RewardSettings, Situation
from pddl_pipeline.planners.own_process import say_calls
from pddl_pipeline.prompts.statements.countdown import STATEMENTS, board_text
from pddl_pipeline.search.baseline import SearchInput, UnsupportedTask
from pddl_pipeline.translators.given_pddl import own_record

NAME: Final = "propose-value"
_SAMPLES: Final = 3
_TEMPERATURE: Final = 0.7
_MAX_TOKENS: Final = 1000
"""As in the published run ``propose1_value3_greedy5``."""
_WORTH: Final = {"sure": 20.0, "likely": 1.0, "impossible": 0.001}
_MOST: Final = _SAMPLES * _WORTH["sure"]
_LEAST: Final = 1e-6
"""The value of numbers whose answers have no such word."""
_SIGNS: Final = str.maketrans("\u00d7\u00f7\u2212", "*/-")
_NUMBER: Final = r"\(?(-?\d+(?:[./]\d+)?)\)?"
_STEP: Final = re.compile(rf"{_NUMBER}\s*([-+*/])\s*{_NUMBER}\s*=")
_Left = tuple[Number, ...]


class _ProposeValue:
    """Scores the steps that a model proposes by the numbers that are left after them."""

    def __init__(self, settings: RewardSettings, given: SearchInput) -> None:
        self._subject = subject_of(given)
        record = own_record(self._subject.instance)
        if self._subject.instance.domain != "countdown" or record is None:
            raise UnsupportedTask(f"reward={NAME} supports only countdown")
        self._board: Mapping[str, Number] = record.board
        self._target = record.target
        self._values: dict[_Left, float] = {}
        self._replies: list[Reply] = []
        self._settings = EndpointSettings(
            settings.model, settings.url, temperature=_TEMPERATURE, max_tokens=_MAX_TOKENS,
            timeout_s=settings.timeout, tries=settings.tries,
        )  # fmt: skip

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[ActionScore]:
        """Return the logarithm of each step's value; minus infinity if it is not proposed.

        Of steps that leave the same numbers, only the first one counts.
        """
        if situation.backward:
            raise UnsupportedTask(f"reward={NAME} supports only forward search")
        board = dict(self._board)
        for step in situation.steps():
            _combine(board, step)
        if options[0].step.action not in SIGNS:  # the check of the last number
            return [ActionScore(0.0) for _ in options]
        proposed = self._proposed(tuple(sorted(board.values())))
        seen: set[_Left] = set()
        found = []
        for option in options:
            after = dict(board)
            called = _combine(after, option.step)
            left = tuple(sorted(after.values()))
            # Equal numbers need only one place among the few that the search keeps.
            is_new = called in proposed and left not in seen
            found.append(ActionScore(log(self._value(left) / _MOST) if is_new else -inf))
            if is_new:
                seen.add(left)
        return found

    def _proposed(self, left: _Left) -> set[tuple[Number, str, Number]]:
        """Return the operations that an answer names; sums and products in both orders."""
        (text,) = self._answers("propose", left, 1)
        found: set[tuple[Number, str, Number]] = set()
        for first, sign, second in _STEP.findall(text.translate(_SIGNS)):
            try:
                x, y = Fraction(first), Fraction(second)
            except ZeroDivisionError:
                continue
            found |= {(x, sign, y), *([(y, sign, x)] if sign in "+*" else [])}
        return found

    def _value(self, left: _Left) -> float:
        """Return the sum of what the answers say of the numbers, asking once for the same."""
        if len(left) == 1:
            return _MOST if left[0] == self._target else _SAMPLES * _WORTH["impossible"]
        if left not in self._values:
            words = (
                re.findall("[a-z]+", text.lower())
                for text in self._answers("value", left, _SAMPLES)
            )
            self._values[left] = sum(_WORTH.get(word[-1], 0.0) for word in words if word) or _LEAST
        return self._values[left]

    def _answers(self, style: str, left: _Left, count: int) -> list[str]:
        """Return a model's answers to the prompt of a style for the numbers that are left."""
        statement, instance = STATEMENTS["countdown"], self._subject.instance
        parts = (
            statement.domain(instance, self._subject.task),
            statement.styles[style].ask,
            board_text(left, self._target),
        )
        asked = [Message("user", "\n\n".join(parts))]
        with Endpoint(self._settings) as model:
            replies = [model.reply(asked) for _ in range(count)]
        self._replies += replies
        say_calls(self._replies)
        return [reply.text for reply in replies]


def _combine(board: dict[str, Number], step: Step) -> tuple[Number, str, Number]:
    """Apply an operation to a board; return its numbers and its sign."""
    name, other = step.arguments
    first, second = board[name], board.pop(other)
    board[name] = combine(step.action, first, second)
    return first, SIGNS[step.action], second


REWARDS: Final = (
    Reward(NAME, "countdown: a model proposes steps and values numbers (Yao)", _ProposeValue),
)
