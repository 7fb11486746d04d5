"""Readings of Table 1 in which a rule chooses one of a task's cheapest plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from typing import Any, Final

from pddl_pipeline.papers.cats.published import UNIFORM, Costs
from pddl_pipeline.search.blocks_states import CheapestPlans, Move
from pddl_pipeline.search.retained_path import TieRule, first_path, retained_path
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS

FIRST_ACTION: Final = "first action"
FIRST_PATH: Final = "search keeps first path"
LAST_PATH: Final = "search keeps last path"
PROCESSES: Final = "search, each schedule a process"


def by_rules(
    plans: Sequence[CheapestPlans], uniform: Sequence[CheapestPlans], costs: Costs
) -> dict[str, list[float]]:
    """Return the readings in which the same deterministic rule chooses both plans."""
    takers: dict[str, Callable[[CheapestPlans, Costs], Any]] = {
        FIRST_ACTION: lambda graph, _: first_path(graph, partial(_by_name, graph)),
        FIRST_PATH: partial(_kept, keep_last=False),
        LAST_PATH: partial(_kept, keep_last=True),
    }
    return {
        name: [
            float(take(a, costs) != take(b, UNIFORM)) for a, b in zip(plans, uniform, strict=True)
        ]
        for name, take in takers.items()
    }


def _by_name(plans: CheapestPlans, move: Move) -> tuple[int, str, str]:
    return move.action, plans.names[move.block], plans.names[move.under] if move.under >= 0 else ""


def _kept(plans: CheapestPlans, costs: Costs, *, keep_last: bool) -> tuple[int, ...]:
    return retained_path(plans, costs, TieRule(partial(_by_name, plans), keep_last=keep_last))


def paths_of_process(
    plans: Sequence[CheapestPlans], costs: Costs, process: int
) -> list[tuple[int, ...]]:
    """Return the path that uniform-cost search keeps for each task, the first of equal cost.

    The order of the actions of a state is arbitrary but fixed within a process: PDDLGym, the
    paper's world model, returns them as a Python set, whose order depends on string hashes that
    differ between processes.
    """
    largest = max(plans, key=lambda each: len(each.names))
    ranks = _ranks(largest.names, Random(f"{costs} {process}"))  # noqa: S311 -- no secret

    def rank(graph: CheapestPlans, move: Move) -> int:
        return ranks[_by_name(graph, move)]

    return [retained_path(each, costs, TieRule(partial(rank, each))) for each in plans]


def _ranks(names: Iterable[str], random: Random) -> dict[tuple[int, str, str], int]:
    blocks = sorted(names)
    actions = [
        (action, block, under)
        for action in range(len(ACTIONS)) for block in blocks for under in ("", *blocks)
    ]  # fmt: skip
    random.shuffle(actions)
    return {action: rank for rank, action in enumerate(actions)}
