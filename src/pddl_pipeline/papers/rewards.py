"""Confidence rewards: a log-probability for each applicable action of a state.

CATS adds the log-probability that an action is judged good (section 4.1, equation 1); SimPlan ranks
plans by the mean log-probability of their actions (section 4.1, equation 1).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import exp, inf, log
from typing import Annotated, Any, Final, Literal, NamedTuple, Protocol

from msgspec import Meta

from pddl_pipeline.model.discovery import registry
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.suggestion import check_name
from pddl_pipeline.planners.planner import ADDED_LATER
from pddl_pipeline.scoring.metrics import NODE_LIMIT
from pddl_pipeline.search.baseline import SearchEffort, SearchInput, SearchResult
from pddl_pipeline.search.best_first import Node
from pddl_pipeline.search.world import World, world_of

_PLAIN: Final = ("none", "uniform", "goal-count")
OF_URL: Final = {"idle": {"reward": (*_PLAIN, "ranker")}}
"""The metadata of settings that only have an effect on reward=url."""

OF_MODELS: Final = ("url", "propose-value")
"""The rewards that ask a model."""


class ActionScore(NamedTuple):
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

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[ActionScore]:
        """Return the score of each option; there is at least one.

        Raises:
            InputError: the score of an option is not available.
        """


@dataclass(frozen=True)
class RewardSettings:
    """The choice of the reward, and the source of its numbers."""

    reward: str = field(
        default="goal-count",
        metadata={
            "help": "confidence in actions: none, uniform, goal-count, url, propose-value or ranker"
        },
    )
    file: str = field(default="", init=False)
    """Always empty: a former setting, which the keys of stored runs contain."""
    url: Annotated[str, Meta(pattern="^(https?://|$)")] = field(
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
    timeout: Annotated[float, Meta(gt=0)] = field(
        default=60, metadata={"help": "maximum seconds for one answer, for reward=url", **OF_URL}
    )
    tries: Annotated[int, Meta(ge=1)] = field(
        default=5,
        metadata={"help": "maximum number of tries per request, for reward=url", **OF_URL},
    )
    pause: Annotated[float, Meta(ge=0)] = field(
        default=1,
        metadata={
            "help": "seconds before the second try; they double with each further try",
            **OF_URL,
        },
    )

    path: str = field(
        default="",
        metadata={
            "help": "model that `pddl-pipeline simplan train` wrote, for reward=ranker",
            "file": True,
            "inside": "ranker.pt",
            "idle": {"reward": (*_PLAIN, *OF_MODELS)},
            **ADDED_LATER,
        },
    )

    def __post_init__(self) -> None:
        check_name(self.reward, rewards(), "unknown reward")
        rewards()[self.reward].check()
        if self.reward == "ranker" and not self.path:
            raise InputError("reward=ranker: requires path=MODEL")
        if self.reward in OF_MODELS and not self.model:
            raise InputError(f"reward={self.reward}: requires model=NAME")


@dataclass(frozen=True, slots=True)
class Reward:
    """A kind of reward."""

    name: str
    about: str
    """One line for users."""
    prepare: Callable[[RewardSettings, SearchInput], Scorer]
    check: Callable[[], object] = bool
    """Raises `EngineError` if the reward requires what is not installed."""


@cache
def rewards() -> Mapping[str, Reward]:
    """Return every reward by its name."""
    own = (
        "pddl_pipeline.papers.rewards",
        "pddl_pipeline.papers.model_reward",
        "pddl_pipeline.papers.countdown.propose_value",
        "pddl_pipeline.papers.simplan.ranker",
    )
    return registry(own, "pddl_pipeline.rewards")


def scorer(settings: RewardSettings, given: SearchInput) -> Scorer:
    """Return the reward that the settings choose, prepared for a task."""
    return rewards()[settings.reward].prepare(settings, given)


class _Formula(NamedTuple):
    """A scorer that depends only on the options."""

    formula: Callable[[Sequence[Option]], list[ActionScore]]

    def scores(self, _situation: Situation, options: Sequence[Option]) -> list[ActionScore]:
        return self.formula(options)


def _by_goals(options: Sequence[Option]) -> list[ActionScore]:
    """Return the log-softmax of minus the number of goal parts that do not hold after each action.

    An action is good with probability (m + 1) / (g + 1) if m of g parts hold after it.
    """
    values = [option.met - option.wanted for option in options]
    # Subtracted before `exp`, which could be 0 for all of them otherwise.
    most = max(values)
    total = most + log(sum(exp(value - most) for value in values))
    return [
        # Rounding may leave a logarithm slightly above 0.
        ActionScore(min(value - total, 0.0), log((each.met + 1) / (each.wanted + 1)))
        for value, each in zip(values, options, strict=True)
    ]


def _reward(
    name: str, about: str, formula: Callable[[Sequence[Option]], list[ActionScore]]
) -> Reward:
    def prepare(_settings: RewardSettings, _given: SearchInput) -> _Formula:
        return _Formula(formula)

    return Reward(name, about, prepare)


@dataclass(frozen=True)
class TreeSettings(RewardSettings):
    """The limits of a tree search, and the source of its confidence."""

    nodes: Annotated[int, Meta(ge=1)] = field(
        default=NODE_LIMIT, metadata={"help": "maximum number of expanded nodes"}
    )
    depth: Annotated[int, Meta(ge=1)] = field(
        default=32, metadata={"help": "maximum number of steps of a plan"}
    )


class Scored(NamedTuple):
    """A successor with its score."""

    node: Node
    score: ActionScore


def ask(
    world: World[Any], reward: Scorer, node: Node, found: Sequence[tuple[Step, Any]]
) -> list[ActionScore]:
    """Return the scores of a node's successors; there must be at least one."""
    options = [Option(step, world.goals_met(state), world.goals) for step, state in found]
    situation = Situation(lambda: world.fact_texts(node.state), node.steps, node.spent)
    return reward.scores(situation, options)


class Expander:
    """Expands nodes for ToT and RAP as CATS describes them (section 5).

    Actions that exceed the budget are omitted, and so are actions that lead back to a state on the
    path to the node: neither paper says how it avoids cycles.
    """

    def __init__(self, given: SearchInput, settings: TreeSettings, effort: SearchEffort) -> None:
        self.world = world_of(given.task)
        self._reward = scorer(settings, given)
        self._budget = given.budget
        self._settings = settings
        self._effort = effort

    @property
    def is_spent(self) -> bool:
        """Whether the limit on expanded nodes is reached."""
        return self._effort.expanded >= self._settings.nodes

    def expand(self, node: Node) -> list[Scored]:
        """Return the allowed successors in order, without those of probability 0.

        At the depth limit there are none.
        """
        self._effort.expanded += 1
        if node.depth >= self._settings.depth:
            return []
        found = self.world.successors(node.state)
        self._effort.generated += len(found)
        before = set(_states(node))
        children = [
            child
            for step, state in found
            if state not in before and self._affords(child := self._child(node, step, state))
        ]
        if not children:
            return []
        self._effort.predictions += 1
        scores = ask(
            self.world, self._reward, node, [(_step(each), each.state) for each in children]
        )
        # A model may give an action no probability at all.
        every = (Scored(*pair) for pair in zip(children, scores, strict=True))
        return [each for each in every if each.score.confidence > -inf]

    def goal(self, found: Sequence[Scored]) -> Node | None:
        """Return the first of these nodes that satisfies the goal, or None."""
        return next((each.node for each in found if self.world.is_goal(each.node.state)), None)

    def _child(self, node: Node, step: Step, state: Any) -> Node:
        spent = node.spent + self.world.cost(step, node.state)
        return Node(state, node, step, node.depth + 1, spent)

    def _affords(self, node: Node) -> bool:
        return self._budget is None or node.spent <= self._budget


def tree_search(
    given: SearchInput,
    settings: TreeSettings,
    effort: SearchEffort,
    search: Callable[[Expander, Node], Node | None],
) -> SearchResult:
    """Call `search` on the root; it returns a goal node or None. Return the result."""
    expander = Expander(given, settings, effort)
    root = Node(expander.world.start)
    goal = root if expander.world.is_goal(root.state) else search(expander, root)
    if goal is not None:
        return SearchResult(Plan(goal.steps()))
    over = f"no plan after {settings.nodes} expansions"
    return SearchResult(None, over if expander.is_spent else "no node is left to expand")


def _states(node: Node | None) -> Iterator[Hashable]:
    while node is not None:
        yield node.state
        node = node.parent


def _step(node: Node) -> Step:
    assert node.step is not None  # noqa: S101
    return node.step


REWARDS: Final = (
    _reward(
        "none",
        "no confidence: all actions are equally good",
        lambda options: [ActionScore(0.0) for _ in options],
    ),
    _reward(
        "uniform",
        "log 1/n for each of the n actions of a state",
        lambda options: [ActionScore(-log(len(options))) for _ in options],
    ),
    _reward("goal-count", "actions are more likely if more goals hold after them", _by_goals),
)
