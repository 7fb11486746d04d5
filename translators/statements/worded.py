"""Builds a domain's statements from its words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from string import ascii_lowercase

from pddl_pipeline.pddl_domains.words import ObjectWords, domain_words
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.statements.facts import FactWords
from pddl_pipeline.translators.statements.planbench import always_this, planbench
from pddl_pipeline.translators.statements.simplan import simplan
from pddl_pipeline.translators.statements.steps import StepWords
from pddl_pipeline.translators.text import Statement, Text


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
def step_words(name: str) -> StepWords:
    """Return a domain's words for steps."""
    words = domain_words(name)
    return StepWords(
        words.sentences,
        lambda task: object_phrases(words.objects, task.vocabulary.objects),
        words.aliases,
    )


@cache
def planbench_facts(name: str) -> FactWords:
    """Return a domain's words for facts in PlanBench's statement."""
    words = domain_words(name)
    return FactWords(words.planbench.facts or words.facts)


def object_phrases(words: ObjectWords, objects: Iterable[str]) -> dict[str, str]:
    """Return the phrase of each object: with its colour if there are enough, else with its name."""
    names = sorted(objects, key=natural)
    colours = _colours(names, words.colours)
    phrases = {name: words.coloured.format(colour) for name, colour in colours.items()}
    return phrases or {name: words.phrase.format(name) for name in names}


def _colours(objects: list[str], colours: tuple[str, ...]) -> dict[str, str]:
    """Return the colour of each object, or no colour at all if there are too few of them.

    Objects named by the first letters of the alphabet have PlanBench's colours. Others get the
    colours in their order.
    """
    letters = dict(zip(ascii_lowercase, colours, strict=False))
    if letters.keys() >= set(objects):
        return {name: letters[name] for name in objects}
    return dict(zip(objects, colours, strict=False)) if len(objects) <= len(colours) else {}
