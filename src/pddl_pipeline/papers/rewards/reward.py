"""Confidence rewards: a log-probability for each applicable action of a state.

CATS adds the log-probability that an action is judged good (section 4.1, equation 1); SimPlan ranks
plans by the mean log-probability of their actions (section 4.1, equation 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, NamedTuple, Protocol

from pddl_pipeline.model.discovery import registry
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.search.baseline import SearchInput

_FORMULAS: Final = ("none", "uniform", "goal-count")
"""The rewards of this project that read neither a file nor a model's answers."""
OF_URL: Final = {"idle": {"reward": (*_FORMULAS, "file")}}
"""The metadata of settings that have no effect on these and on rewards of a file."""


class Score(NamedTuple):
    """The confidence in an action, as natural logarithms of at most 0."""

    logprob: float
    """Log-probability of the action, given the state."""
    good: float = 0.0
    """Log-probability of the word ``good``, given the action and the state."""

    @property
    def confidence(self) -> float:
        """The confidence reward of CATS, equation 1."""
        return self.logprob + self.good


class Option(NamedTuple):
    """A candidate for the next action."""

    step: Step
    met: int
    """How many parts of the goal hold after it; in backward search, how many of the literals that
    must hold before it hold in the initial state."""
    wanted: int
    """The total number of these parts or literals."""


class Situation(NamedTuple):
    """A node of a search, at which an action is chosen."""

    state: Callable[[], tuple[str, ...]]
    """Return the changeable facts that hold, as sorted PDDL; in backward search, the facts that
    must hold."""
    steps: Callable[[], tuple[Step, ...]]
    """Return the steps from the initial state to here; in backward search, from here to the
    goal."""
    spent: Number
    """The cost of these steps."""
    backward: bool = False
    """Whether the action leads to this node instead of away from it."""


class Scorer(Protocol):
    """A reward that is prepared for one task."""

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[Score]:
        """Return the score of each option; there is at least one.

        Raises:
            InputError: the score of an option is not available.
        """


@dataclass(frozen=True)
class RewardSettings:
    """The choice of the reward, and the source of its numbers."""

    reward: str = field(
        default="goal-count",
        metadata={"help": "confidence in actions: none, uniform, goal-count, file or url"},
    )
    file: str = field(
        default="",
        metadata={
            "help": "file with log-probabilities, for reward=file",
            "file": True,
            "idle": {"reward": (*_FORMULAS, "url")},
        },
    )
    url: str = field(
        default="",
        metadata={
            "help": "base address of a completions endpoint, for reward=url, such as"
            " http://localhost:8000/v1; the default is OPENAI_BASE_URL",
            **OF_URL,
        },
    )
    model: str = field(default="", metadata={"help": "name of the model, for reward=url", **OF_URL})
    prompt: Literal["cats", "simplan"] = field(
        default="cats",
        metadata={
            "help": "layout of prompts, for reward=url: cats, which applies only to blocksworlds,"
            " or simplan, which other domains always use",
            **OF_URL,
        },
    )
    evaluate: bool = field(
        default=True,
        metadata={
            "help": "whether to ask the model if an action is good, for reward=url",
            **OF_URL,
        },
    )
    timeout: float = field(
        default=60, metadata={"help": "maximum seconds for one answer, for reward=url", **OF_URL}
    )
    tries: int = field(
        default=5,
        metadata={"help": "maximum number of tries per request, for reward=url", **OF_URL},
    )
    pause: float = field(
        default=1,
        metadata={
            "help": "seconds before the second try; they double with each further try",
            **OF_URL,
        },
    )

    def __post_init__(self) -> None:
        if self.reward not in rewards():
            near = hint(self.reward, rewards())
            raise InputError(f"unknown reward '{self.reward}'{near}")
        if self.reward == "file" and not self.file:
            raise InputError("reward=file: requires file=FILE with the log-probabilities")
        if self.url and not self.url.startswith(("http://", "https://")):
            raise InputError(
                f"url={self.url}: expected an address that begins with http:// or https://"
            )
        if self.reward == "url" and not self.model:
            raise InputError("reward=url: requires model=NAME")
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
    return registry("pddl_pipeline.papers.rewards", "pddl_pipeline.rewards")


def scorer(settings: RewardSettings, given: SearchInput) -> Scorer:
    """Return the reward that the settings choose, prepared for a task.

    Raises:
        InputError: a file cannot be read.
    """
    return rewards()[settings.reward].prepare(settings, given)
