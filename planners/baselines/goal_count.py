"""Greedy best-first search by the number of satisfied goals (SimPlan, section 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pddl_pipeline.model.plan import Step
from pddl_pipeline.planners.baselines.search_budget import LAMA, LimitSettings, SearchBudget
from pddl_pipeline.search.baseline import Baseline, SearchEffort, SearchInput, SearchResult
from pddl_pipeline.search.best_first import Node, Rating, best_first
from pddl_pipeline.search.world import world_of


def _search(given: SearchInput, settings: LimitSettings, effort: SearchEffort) -> SearchResult:
    world = world_of(given.task)

    def rate(_node: Node, found: Sequence[tuple[Step, Any]]) -> list[Rating]:
        return [Rating(world.goals_met(state)) for _, state in found]

    return best_first(world, rate, SearchBudget(given, settings, effort).predict, effort)


BASELINES: Final = (
    Baseline(
        name="goal-count",
        about="greedy best-first search by the number of satisfied goals (SimPlan)",
        settings=LimitSettings,
        search=_search,
        uses=(LAMA,),
    ),
)
