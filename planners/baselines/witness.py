"""The plan that an instance's generator stored: an upper bound without search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.search.baseline import Baseline, SearchEffort, SearchInput, SearchResult


@dataclass(frozen=True, slots=True)
class NoSettings:
    """The settings of a baseline that has none."""


def _search(given: SearchInput, _settings: NoSettings, _effort: SearchEffort) -> SearchResult:
    if not given.witness:
        return SearchResult(None, "the record has no witness")
    try:
        return SearchResult(given.task.read_plan("\n".join(given.witness)))
    except PlanSyntaxError as error:
        return SearchResult(None, f"the witness is not a plan of the task: {error.message}")


BASELINES: Final = (
    Baseline(
        name="witness",
        about="the plan that the generator stored in the record",
        settings=NoSettings,
        search=_search,
    ),
)
