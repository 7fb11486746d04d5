"""The words for a domain's steps, and plans written in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.task import Task


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
