"""SimPlan's search: greedy best-first by the mean log-probability of actions (Hirsch et al.)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from pddl_pipeline.endpoints.settings import KEY
from pddl_pipeline.model.plan import Step
from pddl_pipeline.papers.rewards import OF_URL, RewardSettings, ask, scorer
from pddl_pipeline.planners.baselines.search_budget import LAMA, LimitSettings, SearchBudget
from pddl_pipeline.search.baseline import Baseline, SearchEffort, SearchInput, SearchResult
from pddl_pipeline.search.best_first import Node, Rating, best_first
from pddl_pipeline.search.world import world_of


@dataclass(frozen=True)
class SimplanSettings(LimitSettings, RewardSettings):
    """The limits of the search, and the source of its confidence."""

    prompt: Literal["cats", "simplan"] = field(
        default="simplan",
        metadata={"help": "layout of prompts, for reward=url: simplan or cats", **OF_URL},
    )
    evaluate: bool = field(
        default=False,
        metadata={"help": "whether to ask if an action is good; this has no effect on simplan"},
    )
    queue: Annotated[int, Meta(ge=1)] = field(
        default=1000, metadata={"help": "maximum length of the queue, which keeps the best paths"}
    )


def _search(given: SearchInput, settings: SimplanSettings, effort: SearchEffort) -> SearchResult:
    """Search as in Algorithm 1, with the largest mean log-probability (equation 1) first.

    Line 6 of the algorithm extracts the largest value, whereas line 13 and equation 1 negate the
    mean. The text of section 4.1 says that the most promising path is meant.
    """
    world = world_of(given.task)
    reward = scorer(settings, given)

    def rate(node: Node, found: Sequence[tuple[Step, Any]]) -> list[Rating]:
        depth = node.depth + 1
        return [
            Rating((node.total + score.logprob) / depth, score.logprob)
            for score in ask(world, reward, node, found)
        ]

    budget = SearchBudget(given, settings, effort)
    return best_first(world, rate, budget.predict, effort, settings.queue)


BASELINES: Final = (
    Baseline(
        name="simplan",
        about="SimPlan: greedy best-first search by the mean log-probability of actions",
        settings=SimplanSettings,
        search=_search,
        secrets=(KEY,),
        uses=(LAMA,),
    ),
)
