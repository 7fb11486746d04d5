"""A random walk through the state space (SimPlan, section 5.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.text import counted
from pddl_pipeline.planners.baselines.search_budget import LAMA, LimitSettings, SearchBudget
from pddl_pipeline.search.baseline import Baseline, SearchEffort, SearchInput, SearchResult
from pddl_pipeline.search.world import world_of


@dataclass(frozen=True)
class RandomSettings(LimitSettings):
    """Limits of the search, and the seed of its random steps."""

    seed: int = field(default=0, metadata={"help": "seed of the pseudo-random numbers"})


def _search(given: SearchInput, settings: RandomSettings, effort: SearchEffort) -> SearchResult:
    """Draw each step uniformly from the applicable ones until the goal holds.

    The paper does not mention restarts, so a state without applicable steps ends the search.
    """
    world = world_of(given.task)
    budget = SearchBudget(given, settings, effort)
    random = Random(settings.seed)
    state, steps = world.start, list[Step]()
    while not world.is_goal(state):
        over = budget.predict()
        if over:
            return SearchResult(None, over)
        found = world.successors(state)
        effort.expanded += 1
        effort.generated += len(found)
        if not found:
            return SearchResult(None, f"no step is applicable after {counted(len(steps), 'step')}")
        step, state = random.choice(found)
        steps.append(step)
    return SearchResult(Plan(steps))


BASELINES: Final = (
    Baseline(
        name="random",
        about="random applicable steps until the goal holds (SimPlan)",
        settings=RandomSettings,
        search=_search,
        uses=(LAMA,),
    ),
)
