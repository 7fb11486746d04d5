"""The words in which a domain's steps and objects are written and read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from string import ascii_lowercase

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.operations import CHECK, SIGNS
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.pddl_domains import files_named
from pddl_pipeline.pddl_domains.words import ObjectWords, domain_words
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.given_pddl import own_record
from pddl_pipeline.validation.task import Task


def words_name(instance: Instance[object], task: Task) -> str:
    """Return the domain whose words fit an instance; if none fits, the instance's own domain.

    If a ``words.toml`` stands beside the PDDL, its path is returned instead.
    """
    if own_record(instance) is not None:
        return instance.domain
    if "words" in instance.extras:
        return str(instance.extras["words"])
    return _with_actions().get(frozenset(task.vocabulary.actions), instance.domain)


@cache
def _with_actions() -> dict[frozenset[str], str]:
    """Return the domains that have words of their own, by their actions or the aliases of these."""
    found = dict[frozenset[str], str]()
    # Reversed: of two domains with the same actions, the first by name is stored last.
    for name in sorted(files_named("words.toml"), reverse=True):
        words = domain_words(name)
        if not words.words_of:
            actions = frozenset(words.sentences)
            found[actions] = name
            found[actions.difference(words.aliases.values()).union(words.aliases)] = name
    return {**found, frozenset({*SIGNS, CHECK}): "countdown"}


@dataclass(frozen=True, slots=True)
class StepWords:
    """The words for a domain's steps."""

    sentences: Mapping[str, tuple[str, ...]]
    """By name of the action, sentences with ``{0}``, ``{1}``, … for its arguments. The first one is
    used for writing."""
    phrases: Callable[[Task], Mapping[str, str]]
    """Returns the phrase of each object of a task, such as ``red block``."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names of actions in variants of the domain, with the action whose sentences they use."""

    def with_own_names(self) -> StepWords:
        """Return words that use the objects' own names, without articles, as SimPlan does."""
        sentences = {
            name: tuple(sentence.replace("the {", "{") for sentence in every)
            for name, every in self.sentences.items()
        }
        return replace(self, sentences=sentences, phrases=own_phrases)


def own_phrases(task: Task) -> dict[str, str]:
    """Return the own name of each object as its phrase."""
    return {name: name for name in task.vocabulary.objects}


class Sentences:
    """Writes the steps of one task as sentences."""

    def __init__(self, words: StepWords, task: Task) -> None:
        self.phrases = words.phrases(task)
        """The phrase of each object."""
        self._templates: dict[str, str] = {}
        for action, schema in task.vocabulary.actions.items():
            known = words.sentences.get(words.aliases.get(action, action), ())
            slots = " ".join(f"{{{index}}}" for index in range(len(schema.parameters)))
            self._templates[action] = known[0] if known else f"({action} {slots})"

    def write(self, plan: Plan) -> list[str]:
        """Return the sentence of each step; its call in PDDL if the domain has no words for it."""
        return [
            self._templates[step.action].format(*(self.phrases[name] for name in step.arguments))
            for step in plan
        ]


@cache
def step_words(name: str) -> StepWords:
    """Return a domain's words for steps."""
    words = domain_words(name)
    return StepWords(
        words.sentences,
        lambda task: object_phrases(words.objects, task.vocabulary.objects),
        words.aliases,
    )


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
