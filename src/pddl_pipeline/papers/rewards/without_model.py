"""Rewards without a model: none, uniform, and goal-count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log
from typing import Final, NamedTuple

from pddl_pipeline.papers.rewards.reward import Option, Reward, RewardSettings, Score, Situation
from pddl_pipeline.search.baseline import SearchInput


class _Formula(NamedTuple):
    """A scorer that depends only on the options."""

    formula: Callable[[Sequence[Option]], list[Score]]

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[Score]:
        del situation
        return self.formula(options)


def _none(options: Sequence[Option]) -> list[Score]:
    """Return the same score for every action of every state."""
    return [Score(0.0) for _ in options]


def _uniform(options: Sequence[Option]) -> list[Score]:
    """Return log 1/n for each of n actions."""
    return [Score(-log(len(options))) for _ in options]


def _by_goals(options: Sequence[Option]) -> list[Score]:
    """Return the log-softmax of minus the number of goal parts that do not hold after each action.

    An action is good with probability (m + 1) / (g + 1) if m of g parts hold after it.
    """
    values = [each.met - each.wanted for each in options]
    most = max(values)
    total = most + log(sum(exp(value - most) for value in values))
    return [
        Score(min(value - total, 0.0), log((each.met + 1) / (each.wanted + 1)))
        for value, each in zip(values, options, strict=True)
    ]


def _reward(name: str, about: str, formula: Callable[[Sequence[Option]], list[Score]]) -> Reward:
    def prepare(settings: RewardSettings, given: SearchInput) -> _Formula:
        del settings, given
        return _Formula(formula)

    return Reward(name, about, prepare)


REWARDS: Final = (
    _reward("none", "no confidence: all actions are equally good", _none),
    _reward("uniform", "log 1/n for each of the n actions of a state", _uniform),
    _reward("goal-count", "actions are more likely if more goals hold after them", _by_goals),
)
