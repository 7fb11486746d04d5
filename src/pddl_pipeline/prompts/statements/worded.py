"""Builds a domain's statements from its words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pddl_pipeline.pddl_domains.words import domain_words
from pddl_pipeline.prompts.statement import Statement
from pddl_pipeline.prompts.statements.facts import FactWords
from pddl_pipeline.prompts.statements.planbench import planbench
from pddl_pipeline.prompts.statements.simplan import simplan
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS
from pddl_pipeline.translators.wording import step_words


@cache
def worded(name: str) -> Mapping[str, Statement]:
    """Return the statements that a domain's words describe, by name."""
    words, steps = domain_words(name), step_words(name)
    statements: dict[str, Statement] = {}
    if words.planbench.introduction:
        introduction = "\n\n".join(words.planbench.introduction)
        statements["planbench"] = planbench(steps, planbench_facts(name), lambda *_: introduction)
    if words.simplan:
        statements["simplan"] = simplan(words, words.simplan, steps)
    return statements


@cache
def planbench_facts(name: str) -> FactWords:
    """Return a domain's words for facts in PlanBench's statement."""
    words = domain_words(name)
    return FactWords(words.planbench.facts or words.facts)


def cats_introduction(costs: Mapping[str, int]) -> str:
    """Return the first paragraphs of CATS's prompts, given the cost of each action."""
    opening, phrases, restrictions = introduction_parts()
    done = [f"{phrase}, {costs[action]} min" for action, phrase in phrases.items()]
    first = f"{opening} and the corresponding time consumption:"
    # CATS omits the last restriction.
    return "\n\n".join([first, "\n".join(done), restrictions.rpartition("\n")[0]])


def introduction_parts() -> tuple[str, Mapping[str, str], str]:
    """Return the opening, the phrase for each action, and the restrictions of blocksworld."""
    opening, actions, restrictions = domain_words("blocksworld").planbench.introduction
    return opening, dict(zip(ACTIONS, actions.splitlines(), strict=True)), restrictions
