"""Budget-Blocksworld in words: as blocksworld, with minutes and a time limit (CATS, Figures 8, 9).

PlanBench's statement for cost-optimal plans has no time limit: its line is taken from CATS.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.prompts.statement import Text
from pddl_pipeline.prompts.statements.costs import cats_introduction, planbench_introduction
from pddl_pipeline.prompts.statements.planbench import planbench
from pddl_pipeline.prompts.statements.worded import planbench_facts
from pddl_pipeline.translators.domains.budget_blocksworld import BudgetBlocksworld
from pddl_pipeline.translators.given_pddl import GivenPddl
from pddl_pipeline.translators.wording import step_words
from pddl_pipeline.validation.task import Task

_WORDS: Final = step_words("blocksworld")
_FACTS: Final = planbench_facts("blocksworld")
_ONLY: Final = (
    "IMPORTANT: You must respond with ONLY the plan in the exact format shown below. Do not include"
    " any explanations, analysis, or additional text."
)


def _form(instance: Instance[Any]) -> BudgetBlocksworld:
    given = instance.record
    known = given.known if isinstance(given, GivenPddl) else None
    form: BudgetBlocksworld = given if known is None else known.form
    return form


def _cats(instance: Instance[Any], task: Task) -> str:
    del task
    return cats_introduction(_form(instance).costs)


def _planbench(instance: Instance[Any], task: Task) -> str:
    del task
    return planbench_introduction(_form(instance).costs)


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
    {
        "cats": planbench(_WORDS, _FACTS, _cats, ask=_ONLY, shots=2, limit=_limit, adapt=_adapt),
        "planbench": planbench(_WORDS, _FACTS, _planbench, limit=_limit, adapt=_adapt),
    }
)
