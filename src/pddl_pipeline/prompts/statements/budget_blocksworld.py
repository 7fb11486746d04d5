"""Budget-Blocksworld in words: as blocksworld, with minutes and a time limit (CATS, Figures 8, 9).

CATS prints one introduction, PlanBench another (configs/blocksworld.yaml, domain_intro_cost).
PlanBench's statement for cost-optimal plans has no time limit: its line is taken from CATS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.prompts.statements.planbench import planbench
from pddl_pipeline.prompts.statements.worded import (
    cats_introduction,
    introduction_parts,
    planbench_facts,
)
from pddl_pipeline.translators.given_pddl import own_record
from pddl_pipeline.translators.wording import step_words

_WORDS: Final = step_words("blocksworld")
_FACTS: Final = planbench_facts("blocksworld")
_ONLY: Final = (
    "IMPORTANT: You must respond with ONLY the plan in the exact format shown below. Do not include"
    " any explanations, analysis, or additional text."
)


def _planbench_introduction(costs: Mapping[str, int]) -> str:
    """Return PlanBench's first paragraphs, given the cost of each action."""
    opening, phrases, restrictions = introduction_parts()
    done = []
    for action, phrase in phrases.items():
        time = f"{costs[action]} minute{'' if costs[action] == 1 else 's'}"
        done.append(f"{phrase}. It takes {time} to {phrase[0].lower()}{phrase[1:]}.")
    return "\n\n".join([f"{opening}:", "\n".join(done), restrictions])


def _limit(instance: Instance[Any]) -> str:
    return "" if instance.budget is None else f"\nThe time limit is {instance.budget} min"


def _adapt(example: Instance[Any], plan: Plan, instance: Instance[Any]) -> Instance[Any]:
    """Return an example with an instance's costs, and with a limit if the instance has one.

    The statement states the costs once, for all its tasks. The plan has as much spare time under
    the new limit as it had under the example's own.
    """
    form, costs = own_record(example), own_record(instance).costs
    spare = 0
    if form.budget is not None:
        spare = max(0, form.budget - sum(form.costs[step.action] for step in plan))
    budget = None
    if instance.budget is not None:
        budget = sum(costs[step.action] for step in plan) + spare
    return replace(example, record=replace(form, costs=costs, budget=budget), budget=budget)


STATEMENTS: Final = {
    "cats": planbench(
        _WORDS,
        _FACTS,
        lambda instance, _: cats_introduction(own_record(instance).costs),
        ask=_ONLY,
        shots=2,
        limit=_limit,
        adapt=_adapt,
    ),
    "planbench": planbench(
        _WORDS,
        _FACTS,
        lambda instance, _: _planbench_introduction(own_record(instance).costs),
        limit=_limit,
        adapt=_adapt,
    ),
}
