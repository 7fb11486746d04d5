"""The plan that the generator of an instance knew: an upper bound that costs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.search.baseline import Baseline, Effort, Finding, Given


@dataclass(frozen=True, slots=True)
class WitnessSettings:
    """There are none."""


def _search(given: Given, settings: WitnessSettings, effort: Effort) -> Finding:
    del settings, effort
    if not given.witness:
        return Finding(None, "the record carries no witness")
    try:
        return Finding(given.task.read_plan("\n".join(given.witness)))
    except PlanSyntaxError as error:
        return Finding(None, f"the witness is no plan of the task: {error.message}")


BASELINES: Final = (
    Baseline(
        name="witness",
        about="the plan that the record carries, from its generator",
        settings=WitnessSettings,
        search=_search,
        features=frozenset({"numeric", "general-numeric", "costs"}),
    ),
)
