"""Budget-Blocksworld in words: as blocksworld, with minutes and a time limit (CATS, Figures 8, 9).

PlanBench's statement for cost-optimal plans has minutes as well (configs/blocksworld.yaml,
domain_intro_cost), but no time limit: the line with the limit is taken from CATS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.translators.domains.blocksworld_text import (
    FACTS,
    LAST_RESTRICTION,
    RESTRICTIONS,
    WORDS,
)
from pddl_pipeline.translators.domains.blocksworld_text import (
    TEXT as PLAIN,
)
from pddl_pipeline.translators.domains.budget_blocksworld import BudgetBlocksworld
from pddl_pipeline.translators.given_pddl import GivenPddl
from pddl_pipeline.translators.statements.planbench import planbench
from pddl_pipeline.translators.text import Text
from pddl_pipeline.validation.task import Task

_BLOCKS: Final = (
    "I am playing with a set of blocks where I need to arrange the blocks into stacks. Here are the"
    " actions I can do"
)
_ONLY: Final = (
    "IMPORTANT: You must respond with ONLY the plan in the exact format shown below. Do not include"
    " any explanations, analysis, or additional text."
)
_DONE: Final = {
    "pick-up": "Pick up a block",
    "unstack": "Unstack a block from on top of another block",
    "put-down": "Put down a block",
    "stack": "Stack a block on top of another block",
}


def _form(instance: Instance[Any]) -> BudgetBlocksworld:
    given = instance.record
    known = given.known if isinstance(given, GivenPddl) else None
    form: BudgetBlocksworld = given if known is None else known.form
    return form


def _cats(instance: Instance[Any], task: Task) -> str:
    del task
    return introduction(_form(instance).costs)


def introduction(costs: Mapping[str, int]) -> str:
    """Return the first paragraphs of CATS's prompts, given the cost of each action."""
    done = [f"{phrase}, {costs[action]} min" for action, phrase in _DONE.items()]
    first = f"{_BLOCKS} and the corresponding time consumption:"
    return "\n\n".join([first, "\n".join(done), RESTRICTIONS])


def _planbench(instance: Instance[Any], task: Task) -> str:
    del task
    costs = _form(instance).costs
    done = [
        f"{phrase}. It takes {_minutes(costs[action])} to {phrase[0].lower()}{phrase[1:]}."
        for action, phrase in _DONE.items()
    ]
    return "\n\n".join([f"{_BLOCKS}:", "\n".join(done), f"{RESTRICTIONS}\n{LAST_RESTRICTION}"])


def _minutes(cost: int) -> str:
    return f"{cost} minute" if cost == 1 else f"{cost} minutes"


def _limit(instance: Instance[Any]) -> str:
    return "" if instance.budget is None else f"\nThe time limit is {instance.budget} min"


def _adapt(example: Instance[Any], plan: Plan, instance: Instance[Any]) -> Instance[Any]:
    """Return an example with an instance's costs, and with a limit if the instance has one.

    The statement states the costs once, for all its tasks. The plan has as much spare time under
    the new limit as it had under the example's own.
    """
    form, costs = _form(example), _form(instance).costs
    spare = 0
    if form.budget is not None:
        spare = max(0, form.budget - sum(form.costs[step.action] for step in plan))
    budget = None
    if instance.budget is not None:
        budget = sum(costs[step.action] for step in plan) + spare
    return replace(example, record=replace(form, costs=costs, budget=budget), budget=budget)


TEXT: Final = Text(
    PLAIN.parse_answer,
    readings=PLAIN.readings,
    statements={
        "cats": planbench(WORDS, FACTS, _cats, ask=_ONLY, shots=2, limit=_limit, adapt=_adapt),
        "planbench": planbench(WORDS, FACTS, _planbench, limit=_limit, adapt=_adapt),
    },
)
