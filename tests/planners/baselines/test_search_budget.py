"""SimPlan's limit on predictions: sixteen times the states that LAMA expands."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from baseline_runs import given_of, run
from planner_outcomes import command_of
from planner_problems import LIMITS, hard_blocksworld, mixed_blocksworld, sample

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners.attempting import attempt
from pddl_pipeline.planners.baselines.search_budget import LimitSettings, SearchBudget
from pddl_pipeline.planners.fast_downward import PLANNERS
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.search.baseline import SearchEffort

LAMA = {each.name: command_of(each).words() for each in PLANNERS if each.name == "lama-first"}


def allowed(budget: SearchBudget) -> int:
    """Return the number of predictions that the budget allows."""
    number = 0
    while not budget.predict():
        number += 1
    return number


@pytest.mark.parametrize("domain", ["depots", "minigrid"])
def test_predictions_are_sixteen_times_what_lama_expands(
    domain: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expanded = attempt(planner_named("lama-first"), sample(domain), LIMITS).statistics.expanded
    assert expanded
    given = given_of(sample(domain), tmp_path, commands=LAMA)
    assert allowed(SearchBudget(given, LimitSettings(), SearchEffort())) == 16 * expanded
    assert capsys.readouterr().out == (
        f"At most {16 * expanded} predictions: lama-first expanded {expanded} states\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["domain.pddl", "problem.pddl"]


def test_where_lama_refuses_there_is_no_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = given_of(sample("countdown"), tmp_path, commands=LAMA)
    run("random", given)
    assert capsys.readouterr().out.startswith("No limit on predictions: lama-first did not search")


def test_what_prints_nothing_has_not_searched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    silent = {"lama-first": (sys.executable, "-c", "")}
    SearchBudget(
        given_of(sample("ferry"), tmp_path, commands=silent), LimitSettings(), SearchEffort()
    )
    assert "(it printed nothing)" in capsys.readouterr().out


def test_without_lama_a_number_must_be_given(tmp_path: Path) -> None:
    given = given_of(sample("ferry"), tmp_path)
    with pytest.raises(InputError, match="predictions=lama"):
        SearchBudget(given, LimitSettings(), SearchEffort())
    assert allowed(SearchBudget(given, LimitSettings("7"), SearchEffort())) == 7
    assert allowed(SearchBudget(given, LimitSettings("0"), SearchEffort())) == 0


def test_of_hard_tasks_only_so_much_is_looked_at() -> None:
    """Run it as a planner, with and without settings."""
    done = attempt(planner_named("random"), mixed_blocksworld(7), LIMITS)
    assert done.outcome is Outcome.GAVE_UP
    limit = int(done.reason.partition("no plan within ")[2].split()[0])
    assert limit % 16 == 0
    assert done.statistics.expanded == limit
    done = attempt(planner_named("simplan:predictions=40"), hard_blocksworld(), LIMITS)
    assert done.outcome is Outcome.GAVE_UP
    assert done.statistics.expanded == 40
