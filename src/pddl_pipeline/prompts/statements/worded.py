"""Builds a domain's statements from its words."""

from __future__ import annotations

from functools import cache

from pddl_pipeline.pddl_domains.words import domain_words
from pddl_pipeline.prompts.statement import Statement, Text
from pddl_pipeline.prompts.statements.facts import FactWords
from pddl_pipeline.prompts.statements.planbench import always_this, planbench
from pddl_pipeline.prompts.statements.simplan import simplan
from pddl_pipeline.translators.wording import step_words


@cache
def text_in_words(name: str) -> Text:
    """Return the statements that a domain's words describe."""
    words, steps = domain_words(name), step_words(name)
    statements: dict[str, Statement] = {}
    if words.planbench.introduction:
        introduction = always_this("\n\n".join(words.planbench.introduction))
        statements["planbench"] = planbench(steps, planbench_facts(name), introduction)
    if words.simplan:
        statements["simplan"] = simplan(words, words.simplan, steps)
    return Text(statements, frozenset(words.sentences))


@cache
def planbench_facts(name: str) -> FactWords:
    """Return a domain's words for facts in PlanBench's statement."""
    words = domain_words(name)
    return FactWords(words.planbench.facts or words.facts)
