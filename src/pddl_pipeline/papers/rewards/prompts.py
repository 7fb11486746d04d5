"""Prompts that ask a model for the next action, and whether an action is good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Step
from pddl_pipeline.papers.rewards.reward import Situation
from pddl_pipeline.search.baseline import SearchInput
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.referee import Fact
from pddl_pipeline.validation.task import Task


class Prompts(NamedTuple):
    """One layout, prepared for one task."""

    before_action: Callable[[Situation], str]
    """Return the text before the action whose probability is requested."""
    action: Callable[[Step], str]
    """Return the action in the words of the layout."""
    before_good: Callable[[Situation, Step], str]
    """Return the text before the word `` good``."""


class Subject(NamedTuple):
    """The instance and the task that a prompt describes."""

    instance: Instance[Any]
    task: Task


def subject_of(given: SearchInput) -> Subject:
    """Return the task with the instance that this project's domains recognise in it."""
    return Subject(given_instance("task", *given.texts(), {}), given.task)


def facts_of(situation: Situation) -> list[Fact]:
    """Return the atoms that hold, without fluent values and without negated atoms."""
    words = (text[1:-1].split() for text in situation.state() if text.count("(") == 1)
    return [tuple(each) for each in words]
