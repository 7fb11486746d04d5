"""Log-probabilities from a language model behind an OpenAI-compatible completions endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pddl_pipeline.papers.rewards.cats_prompts import cats_prompts
from pddl_pipeline.papers.rewards.completions import Completions, Continuation
from pddl_pipeline.papers.rewards.prompts import subject_of
from pddl_pipeline.papers.rewards.reward import Option, Reward, RewardSettings, Score, Situation
from pddl_pipeline.papers.rewards.tagged_prompts import tagged_prompts
from pddl_pipeline.search.baseline import SearchInput

_GOOD: Final = " good"


class _FromModel:
    """Scores actions with the prompts of the papers.

    The log-probability of an action is the sum over all tokens of its text after the prompt. The
    log-probability of ``good`` is that of its first token. The probabilities of a state's actions
    need not add up to 1.
    """

    def __init__(self, settings: RewardSettings, given: SearchInput) -> None:
        subject = subject_of(given)
        chosen = cats_prompts(subject, given.budget) if settings.prompt == "cats" else None
        self._prompts = chosen or tagged_prompts(subject)
        self._evaluate = settings.evaluate
        self._endpoint = Completions(
            settings.model, settings.url, settings.timeout, settings.tries, settings.pause
        )

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[Score]:
        prompts = self._prompts
        before = prompts.before_action(situation)
        asked = [Continuation(before, prompts.action(each.step)) for each in options]
        if self._evaluate:
            asked += [
                Continuation(prompts.before_good(situation, each.step), _GOOD) for each in options
            ]
        found = self._endpoint.token_logprobs(asked)
        count = len(options)
        good = [values[0] for values in found[count:]] if self._evaluate else [0.0] * count
        return [
            Score(sum(values), first) for values, first in zip(found[:count], good, strict=True)
        ]


REWARDS: Final = (
    Reward("url", "log-probabilities of a model behind a completions endpoint", _FromModel),
)
