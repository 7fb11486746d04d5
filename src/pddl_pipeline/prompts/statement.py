"""How a domain is described in words; built from its ``words.toml``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.task import Task

if TYPE_CHECKING:
    from pddl_pipeline.prompts.statements.facts import FactWords
    from pddl_pipeline.translators.wording import StepWords

TaskText = Callable[[Instance[Any], Task], str]
"""Returns text about an instance and its task."""


def always(instance: Instance[Any], task: Task) -> bool:
    """Return True: the default of `Statement.covers`, for statements that fit every task."""
    del instance, task
    return True


def as_it_is(example: Instance[Any], plan: Plan, instance: Instance[Any]) -> Instance[Any]:
    """Return the example unchanged: the default of `Statement.adapt`."""
    del plan, instance
    return example


@dataclass(frozen=True, slots=True)
class Style:
    """How a prompt requests an answer, and the form of the answer: with or without reasoning."""

    write: Callable[[Plan, Instance[Any], Task], str]
    """Returns the expected answer for a plan, including marks and reasoning."""
    ask: str = ""
    """The instruction for answers, shown once after the actions; may be empty."""
    opening: str = ""
    """The text between a task and its answer, which begins on the next line; may be empty."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A paper's description of tasks in words."""

    domain: TaskText
    """The first part: the actions and their restrictions."""
    task: TaskText
    """The initial state and the goal of one instance."""
    styles: Mapping[str, Style]
    """The styles ``io`` and ``cot``, by name."""
    shots: int = 0
    """Number of solved examples that the paper shows before the task."""
    covers: Callable[[Instance[Any], Task], bool] = always
    """Returns whether the statement has words for everything in the task."""
    adapt: Callable[[Instance[Any], Plan, Instance[Any]], Instance[Any]] = as_it_is
    """Returns an example, given with its plan, as shown before an instance. The part that the
    statement states once for all tasks must be true of both."""
    facts: FactWords | None = None
    """The words for facts, if any."""
    words: StepWords | None = None
    """The words for steps, if any."""

    def write(self, plan: Plan, instance: Instance[Any], task: Task) -> str:
        """Return a plan as the expected answer without reasoning."""
        return self.styles["io"].write(plan, instance, task)


@dataclass(frozen=True, slots=True)
class Text:
    """How a domain's tasks and plans are written in words."""

    statements: Mapping[str, Statement] = field(default_factory=dict)
    """The statements by name (``planbench``, ``simplan``, ``cats``, ``countdown``), default
    first."""
    actions: frozenset[str] = frozenset()
    """The actions of given PDDL that can be described with these words, although it was not
    recognised as one of this project's domains."""
