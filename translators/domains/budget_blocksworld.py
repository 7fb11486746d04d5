"""Budget-Blocksworld: blocksworld with action costs and a budget (CATS, section 4)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.domains.blocksworld import Blocksworld, facts_of, recover, referee
from pddl_pipeline.translators.field_checks import FieldFault, check_keys
from pddl_pipeline.translators.problems import problem_text
from pddl_pipeline.translators.referee import Fact
from pddl_pipeline.translators.translator import Translator
from pddl_pipeline.validation.task import Task

# Planners sum costs in 32 bits.
_MOST: Final = 1_000_000
ACTIONS: Final = ("pick-up", "unstack", "put-down", "stack")
HORIZONS: Final[Mapping[str, range]] = {
    "short": range(2, 9),
    "mid": range(10, 15),
    "long": range(16, sys.maxsize),
}
"""The horizons of CATS by the steps of the cheapest plan (Appendix A).

Odd lengths, which occur only if a block is in the hand at the beginning, count as the next even
one.
"""


def horizon(steps: int) -> str:
    """Return the name of the horizon of tasks whose cheapest plan has this number of steps."""
    return next(name for name, lengths in HORIZONS.items() if steps <= lengths[-1])


@dataclass(frozen=True, slots=True)
class BudgetBlocksworld(Blocksworld):
    """Blocksworld with a cost for each action."""

    costs: dict[str, int]
    """Cost of each of the four actions, 0 to 1,000,000."""
    budget: int | None
    """The maximal cost of a plan; None means no limit. It is not part of the PDDL."""

    def __post_init__(self) -> None:
        Blocksworld.__post_init__(self)
        check_keys("costs", self.costs, ACTIONS)
        for action, cost in self.costs.items():
            if not 0 <= cost <= _MOST:
                raise FieldFault("costs", f"'{action}' costs {cost}, expected 0 to {_MOST}")
        if self.budget is not None and self.budget < 0:
            raise FieldFault("budget", f"found {self.budget}, expected 0 or more, or null")


def _problem(instance: Instance[BudgetBlocksworld]) -> str:
    task = instance.record
    values: dict[Fact, int] = {(f"{action}-cost",): cost for action, cost in task.costs.items()}
    values["total-cost",] = 0
    return problem_text(
        instance.id,
        "budget-blocksworld",
        dict.fromkeys(task.blocks),
        facts_of(task),
        task.goal,
        values=values,
        minimise_cost=True,
    )


def _recover(task: Task, text: str) -> BudgetBlocksworld:
    plain = recover(task, text)
    costs = {action: int(task.facts.values[f"{action}-cost",]) for action in ACTIONS}
    shared = {field.name: getattr(plain, field.name) for field in fields(Blocksworld)}
    return BudgetBlocksworld(**shared, costs=costs, budget=None)


TRANSLATOR = Translator(
    record_type=BudgetBlocksworld,
    size=lambda task: len(task.blocks),
    unit="blocks",
    problem=_problem,
    recover=_recover,
    referee=referee,
    features=frozenset({"costs"}),
    budget=lambda task: task.budget,
    cost=lambda task, plan: sum(task.costs[step.action] for step in plan.steps),
)
