"""Budget-Blocksworld as in CATS: random states of six blocks, with the cost of the cheapest plan.

CATS, section 3 and Appendix A: tasks by the length of their cheapest plan, each with three budgets.
The goal states which block is on which, but not which blocks are on the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pddl_pipeline.generators.blocks import random_pair
from pddl_pipeline.generators.generator import Draft, Generator, NotNegative
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.search.blocks_states import cheapest_plan
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS, BudgetBlocksworld, horizon

_BUDGETS: Final = ("tight", "loose", "unlimited")
# `cheapest_plan` packs cost and steps into one number, with room for costs below 2^32.
_DEAREST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    """The action costs and the budgets."""

    costs: str = field(
        default="1,1,20,1", metadata={"help": "Costs of pick-up, unstack, put-down, stack."}
    )
    budget: str = field(
        default="tight,loose,unlimited",
        metadata={
            "help": "Budgets of each task: tight is the minimum cost; loose adds loose-margin."
        },
    )
    loose_margin: NotNegative = field(
        default=42, metadata={"help": "Difference between a loose budget and the minimum cost."}
    )

    def __post_init__(self) -> None:
        self.prices()
        for name in self.budgets():
            if name not in _BUDGETS:
                near = did_you_mean(name, _BUDGETS) or f"; expected some of {', '.join(_BUDGETS)}"
                raise InputError(f"budget={self.budget}: found '{name}'{near}")
        if len(set(self.budgets())) < len(self.budgets()):
            raise InputError(f"budget={self.budget}: a name occurs twice")

    def prices(self) -> tuple[int, ...]:
        """Return the costs in the order of the paper."""
        texts = self.costs.split(",")
        if len(texts) != len(ACTIONS) or not all(t.isascii() and t.isdigit() for t in texts):
            raise InputError(f"costs={self.costs}: expected four whole numbers such as 1,1,20,1")
        if max(map(len, texts)) > len(str(_DEAREST)) or max(map(int, texts)) > _DEAREST:
            raise InputError(f"costs={self.costs}: expected at most {_DEAREST} each")
        return tuple(map(int, texts))

    def budgets(self) -> list[str]:
        """Return the names of the budgets."""
        return self.budget.split(",")


def _make(settings: BudgetSettings, size: int, seed: int) -> tuple[Draft, ...]:
    pair = random_pair(seed, size)
    if pair is None:
        return ()
    init, goal = pair
    prices = settings.prices()
    best = cheapest_plan(init, [(above, below) for _, above, below in goal], prices)
    costs = dict(zip(ACTIONS, prices, strict=True))
    budgets = {"tight": best.cost, "loose": best.cost + settings.loose_margin, "unlimited": None}
    extras = {
        "split": horizon(len(best.steps)),
        "witness": [str(step) for step in best.steps],
        "optimal_cost": best.cost,
    }
    return tuple(
        Draft(BudgetBlocksworld(init, goal, costs, budgets[name]), name, extras)
        for name in settings.budgets()
    )


GENERATORS: Final = (
    Generator(
        domain="budget-blocksworld",
        method="cats",
        about="two uniform states; budgets from the cheapest plan, found by exhaustive search",
        settings=BudgetSettings,
        sizes=range(6, 7),
        make=_make,
        per_seed=lambda settings: len(settings.budgets()),
    ),
)
