"""Builds a domain's reader and statements from its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from string import ascii_lowercase

from pddl_pipeline.pddl_domains.words import FrameWords, ObjectWords, domain_words
from pddl_pipeline.translators.answers.names import Names
from pddl_pipeline.translators.answers.planbench_rules import planbench_reader
from pddl_pipeline.translators.answers.roles import Frame
from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.step_reader import Words
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.statements.facts import FactWords
from pddl_pipeline.translators.statements.planbench import always_this, planbench
from pddl_pipeline.translators.statements.simplan import simplan
from pddl_pipeline.translators.text import Statement, Text
from pddl_pipeline.validation.task import Task


@cache
def text_in_words(name: str) -> Text:
    """Return the reader and the statements that a domain's words describe."""
    words, steps = domain_words(name), step_words(name)
    statements: dict[str, Statement] = {}
    if words.planbench.introduction:
        introduction = always_this("\n\n".join(words.planbench.introduction))
        statements["planbench"] = planbench(steps, planbench_facts(name), introduction)
    if words.simplan:
        statements["simplan"] = simplan(words, words.simplan, steps)
    return Text(
        sentence_reader(steps),
        readings={"planbench": planbench_reader(steps)} if words.planbench.published_reader else {},
        statements=statements,
        actions=frozenset(words.sentences),
    )


@cache
def step_words(name: str) -> Words:
    """Return a domain's words for steps."""
    words = domain_words(name)
    return Words(
        words.sentences,
        _names_of(words.objects),
        words.aliases,
        words.idle,
        tuple(_frame(action, each) for action, many in words.frames.items() for each in many),
        words.implied,
        words.agents,
    )


def _frame(action: str, words: FrameWords) -> Frame:
    return Frame(
        action,
        words.verbs,
        tuple(frozenset(roles.split()) for roles in words.names),
        tuple(map(_led, words.words)),
        tuple(map(_led, words.optional)),
        words.when,
    )


def _led(words: str) -> tuple[frozenset[str], str]:
    """Return a word and the prepositions that may lead to it."""
    *links, word = words.split()
    return frozenset(links), word


@cache
def planbench_facts(name: str) -> FactWords:
    """Return a domain's words for facts in PlanBench's statement."""
    words = domain_words(name)
    return FactWords(words.planbench.facts or words.facts)


def _names_of(words: ObjectWords) -> Callable[[Task], Names]:
    """Return the function that names a task's objects in sentences."""
    return lambda task: Names(
        object_phrases(words, task.vocabulary.objects), words.nouns, words.prefixes
    )


def object_phrases(words: ObjectWords, objects: Iterable[str]) -> dict[str, str]:
    """Return the phrase of each object: with its colour if there are enough, else with its name."""
    colours = _colours(sorted(objects, key=natural), words.colours)
    phrases = {name: words.coloured.format(colour) for name, colour in colours.items()}
    return phrases or {name: words.phrase.format(name) for name in objects}


def _colours(objects: list[str], colours: tuple[str, ...]) -> dict[str, str]:
    """Return the colour of each object, or no colour at all if there are too few of them.

    Objects named by the first letters of the alphabet have PlanBench's colours. Others get the
    colours in their order.
    """
    letters = dict(zip(ascii_lowercase, colours, strict=False))
    if letters.keys() >= set(objects):
        return {name: letters[name] for name in objects}
    return dict(zip(objects, colours, strict=False)) if len(objects) <= len(colours) else {}
