"""PlanBench's introduction to blocksworld with the costs of the actions, in minutes.

CATS prints one (Figures 8, 9), PlanBench another (configs/blocksworld.yaml, domain_intro_cost).
"""

from __future__ import annotations

from collections.abc import Mapping

from pddl_pipeline.pddl_domains.words import domain_words
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS


def cats_introduction(costs: Mapping[str, int]) -> str:
    """Return the first paragraphs of CATS's prompts, given the cost of each action."""
    opening, phrases, restrictions = _paragraphs()
    done = [f"{phrase}, {costs[action]} min" for action, phrase in phrases.items()]
    first = f"{opening} and the corresponding time consumption:"
    # CATS omits the last restriction.
    return "\n\n".join([first, "\n".join(done), restrictions.rpartition("\n")[0]])


def planbench_introduction(costs: Mapping[str, int]) -> str:
    """Return PlanBench's first paragraphs, given the cost of each action."""
    opening, phrases, restrictions = _paragraphs()
    done = [
        f"{phrase}. It takes {_minutes(costs[action])} to {phrase[0].lower()}{phrase[1:]}."
        for action, phrase in phrases.items()
    ]
    return "\n\n".join([f"{opening}:", "\n".join(done), restrictions])


def _paragraphs() -> tuple[str, Mapping[str, str], str]:
    """Return the opening, the phrase for each action, and the restrictions of blocksworld."""
    opening, actions, restrictions = domain_words("blocksworld").planbench.introduction
    return opening, dict(zip(ACTIONS, actions.splitlines(), strict=True)), restrictions


def _minutes(cost: int) -> str:
    return f"{cost} minute" if cost == 1 else f"{cost} minutes"
