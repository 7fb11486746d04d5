"""The plan that the generator of an instance knew: an upper bound that costs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.search.baseline import Baseline, SearchEffort, SearchInput, SearchResult


@dataclass(frozen=True, slots=True)
class WitnessSettings:
    """There are none."""


def _search(given: SearchInput, settings: WitnessSettings, effort: SearchEffort) -> SearchResult:
    del settings, effort
    if not given.witness:
        return SearchResult(None, "the record carries no witness")
    try:
        return SearchResult(given.task.read_plan("\n".join(given.witness)))
    except PlanSyntaxError as error:
        return SearchResult(None, f"the witness is no plan of the task: {error.message}")


BASELINES: Final = (
    Baseline(
        name="witness",
        about="the plan that the record carries, from its generator",
        settings=WitnessSettings,
        search=_search,
        features=frozenset({"numeric", "general-numeric", "costs"}),
    ),
)
