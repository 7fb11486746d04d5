"""The exact countdown solver of this project."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.countdown.recognition import countdown_of
from pddl_pipeline.planners.baselines.witness import NoSettings
from pddl_pipeline.planners.own_process import say
from pddl_pipeline.search.baseline import (
    Baseline,
    SearchEffort,
    SearchInput,
    SearchResult,
    UnsupportedTask,
)
from pddl_pipeline.validation.features import NUMERIC


def _search(given: SearchInput, _settings: NoSettings, effort: SearchEffort) -> SearchResult:
    instance = countdown_of(given.task)
    if instance is None:
        raise UnsupportedTask("this is not the countdown domain of this project")
    answer = solve_exact(instance.numbers, instance.target)
    effort.expanded = answer.values
    if answer.plan is not None:
        say(f"Plan cost: {len(answer.plan)}")
    return SearchResult(answer.plan, answer.reason, answer.proof)


BASELINES: Final = (
    Baseline(
        name="countdown-exact",
        about="countdown only: finds a plan or proves that there is none, up to 9 numbers",
        settings=NoSettings,
        search=_search,
        features=NUMERIC,
        complete_for="countdown",
    ),
)
