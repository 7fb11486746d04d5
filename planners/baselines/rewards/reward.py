"""What a confidence reward is: a log-probability for each action that a state makes possible.

CATS adds the log-probability that an action is judged good (section 4.1, equation 1); SimPlan ranks
plans by the mean log-probability of their actions (section 4.1, equation 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol

from pddl_pipeline.model.discovery import discover
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.search.baseline import SearchInput


class Score(NamedTuple):
    """How much confidence there is in an action; natural logarithms, 0 or less."""

    logprob: float
    """Of the action, given the state."""
    good: float = 0.0
    """Of the word ``good``, given the action and the state."""

    @property
    def confidence(self) -> float:
        """The confidence reward of CATS, equation 1."""
        return self.logprob + self.good


class Option(NamedTuple):
    """An action that may be next."""

    step: Step
    met: int
    """How many parts of what is wanted hold after it: of the goal; backward, how many of the atoms
    that are needed before it hold in the initial state."""
    wanted: int
    """How many parts there are."""


class Situation(NamedTuple):
    """Where an action is to be chosen."""

    state: Callable[[], tuple[str, ...]]
    """Tells what holds of all that may change, as PDDL, sorted; backward, what is to hold."""
    steps: Callable[[], tuple[Step, ...]]
    """Tells the steps from the initial state to here; backward, those from here to the goal."""
    spent: Number
    """What these steps cost."""
    backward: bool = False
    """Whether the action is to lead here, and not away from here."""


class Scorer(Protocol):
    """A reward that is ready for one task."""

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[Score]:
        """Return the score of each option; there is at least one.

        Raises:
            InputError: there is no score to be had.
        """


@dataclass(frozen=True)
class RewardSettings:
    """Which reward, and where its numbers are from."""

    reward: str = field(
        default="goal-count",
        metadata={"help": "confidence in actions: none, uniform, goal-count, file or url"},
    )
    file: str = field(
        default="", metadata={"help": "log-probabilities, for reward=file", "file": True}
    )
    url: str = field(
        default="",
        metadata={
            "help": "base address of a completions endpoint, for reward=url, such as"
            " http://localhost:8000/v1; else that of OPENAI_BASE_URL"
        },
    )
    model: str = field(default="", metadata={"help": "name of the model, for reward=url"})
    prompt: Literal["cats", "simplan"] = field(
        default="cats",
        metadata={
            "help": "layout of prompts, for reward=url: cats, which has words for blocksworlds"
            " alone, or simplan, which other domains have in any case"
        },
    )
    evaluate: bool = field(
        default=True,
        metadata={"help": "whether the model is asked if an action is good, for reward=url"},
    )
    timeout: float = field(default=60, metadata={"help": "seconds for one answer, for reward=url"})
    tries: int = field(
        default=5, metadata={"help": "how often a request is sent at most, for reward=url"}
    )
    pause: float = field(
        default=1,
        metadata={"help": "seconds before the second try; each further time it doubles"},
    )

    def __post_init__(self) -> None:
        if self.reward not in rewards():
            near = hint(self.reward, rewards())
            raise InputError(f"unknown reward '{self.reward}'{near}")
        if self.reward == "file" and not self.file:
            raise InputError("reward=file: expected file=FILE with the log-probabilities, too")
        if self.url and not self.url.startswith(("http://", "https://")):
            raise InputError(f"url={self.url}: expected http:// or https:// in front")
        if self.reward == "url" and not self.model:
            raise InputError("reward=url: expected model=NAME, too")
        if not (self.timeout > 0 and self.tries > 0 and self.pause >= 0):
            raise InputError("timeout and tries: expected more than 0; pause: 0 or more")


@dataclass(frozen=True, slots=True)
class Reward:
    """A kind of reward."""

    name: str
    about: str
    """One line for users."""
    prepare: Callable[[RewardSettings, SearchInput], Scorer]


@cache
def rewards() -> Mapping[str, Reward]:
    """Return every reward by its name."""
    found: Any = discover("pddl_pipeline.planners.baselines.rewards", "REWARDS")
    return {each.name: each for each in found}


def scorer(settings: RewardSettings, given: SearchInput) -> Scorer:
    """Return the reward that settings name, ready for a task.

    Raises:
        InputError: a file cannot be read.
    """
    return rewards()[settings.reward].prepare(settings, given)
