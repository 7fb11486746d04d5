"""Cost-optimal plans by the first applicable method (CATS, Appendix A: exhaustive search)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from msgspec import Meta

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.countdown.recognition import countdown_of
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.planners.baselines.search_budget import run_downward
from pddl_pipeline.planners.own_process import say
from pddl_pipeline.search.baseline import (
    Baseline,
    SearchEffort,
    SearchInput,
    SearchResult,
    UnsupportedTask,
)
from pddl_pipeline.search.best_first import cheapest_plan
from pddl_pipeline.search.blocks_states import MOST_BLOCKS
from pddl_pipeline.search.blocks_states import cheapest_plan as cheapest_of_blocks
from pddl_pipeline.search.world import world_of
from pddl_pipeline.translators.domains.blocksworld import Blocksworld
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS, BudgetBlocksworld
from pddl_pipeline.translators.given_pddl import recognise

_OPTIMAL: Final = "seq-opt-lmcut"


@dataclass(frozen=True, slots=True)
class GroundTruthSettings:
    """The limit of the uniform-cost search."""

    states: Annotated[int, Meta(ge=1)] = field(
        default=200_000,
        metadata={
            "help": "maximum number of states of uniform-cost search; beyond, Fast Downward runs"
        },
    )


def _search(
    given: SearchInput, settings: GroundTruthSettings, effort: SearchEffort
) -> SearchResult:
    """Find a cheapest plan by the first applicable method.

    Countdown uses its exact solver, since all plans of an instance have the same length. Up to
    seven blocks use a sweep over all states. Other tasks with few states use uniform-cost search,
    and all others Fast Downward's A* with LM-cut.
    """
    numbers = countdown_of(given.task)
    if numbers is not None:
        answer = solve_exact(numbers.numbers, numbers.target)
        effort.expanded = answer.values
        return SearchResult(answer.plan, answer.reason, answer.proof)
    swept = _swept(given)
    if swept is not None:
        say("By a sweep over all states of its blocks")
        return SearchResult(swept)
    found = cheapest_plan(world_of(given.task), settings.states, effort)
    if found is not None:
        say("By uniform-cost search")
        return found
    return _by_downward(given, settings.states, effort)


def _swept(given: SearchInput) -> Plan | None:
    """Return a plan for a few blocks and a goal of the form in CATS, else None."""
    known = recognise(given.task, *given.texts())
    if known is None or known.names or not isinstance(known.form, Blocksworld):
        return None
    form: Any = known.form
    costs = [form.costs[action] if isinstance(form, BudgetBlocksworld) else 1 for action in ACTIONS]
    is_small = form.holding is None and sum(map(len, form.init)) <= MOST_BLOCKS
    if not is_small or any(atom[0] != "on" for atom in form.goal):
        return None
    goal = [(atom[1], atom[2]) for atom in form.goal]
    if len(dict(goal)) < len(goal):
        return None  # a block on two others: there is no plan
    try:
        return Plan(cheapest_of_blocks(form.init, goal, costs).steps)
    except InputError:
        # No state satisfies the goal: another method proves it.
        return None


def _by_downward(given: SearchInput, states: int, effort: SearchEffort) -> SearchResult:
    if _OPTIMAL not in given.commands:
        raise UnsupportedTask(f"more than {states} states, and Fast Downward is not available")
    run = run_downward(given, _OPTIMAL)
    effort.expanded += run.expanded or 0
    if run.plan is not None:
        say("By Fast Downward, A* with LM-cut")
        return SearchResult(given.task.read_plan(run.plan))
    reason = f"more than {states} states, and Fast Downward found no plan: {run.last_line}"
    return SearchResult(None, reason, proof=run.unsolvable)


BASELINES: Final = (
    Baseline(
        name="ground-truth",
        about="a cost-optimal plan by exhaustive or uniform-cost search, or A* with LM-cut",
        settings=GroundTruthSettings,
        search=_search,
        optimal=True,
        uses=(_OPTIMAL,),
    ),
)
