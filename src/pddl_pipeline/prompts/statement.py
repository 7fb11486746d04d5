"""How a domain is described in words; built from its ``words.toml``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.task import Task

if TYPE_CHECKING:
    from pddl_pipeline.prompts.statements.facts import FactWords
    from pddl_pipeline.translators.wording import StepWords

PDDL: Final = "pddl"
"""The style that asks for the problem in PDDL, and the reading of the answers."""
TaskText = Callable[[Instance[Any], Task], str]
"""Returns text about an instance and its task."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a prompt requests an answer, and the form of the answer: with or without reasoning."""

    write: Callable[[Plan, Instance[Any], Task], str] | None
    """Returns the expected answer for a plan, including marks; None if the style has no examples.
    The style ``io`` always has it."""
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
    """The styles by name: ``io``, and usually ``cot``."""
    shots: int = 0
    """Number of solved examples that the paper shows before the task."""
    covers: Callable[[Instance[Any], Task], bool] = lambda _instance, _task: True
    """Returns whether the statement has words for everything in the task."""
    adapt: Callable[[Instance[Any], Plan, Instance[Any]], Instance[Any]] = lambda example, *_: (
        example
    )
    """Returns an example, given with its plan, as shown before an instance. The part that the
    statement states once for all tasks must be true of both."""
    facts: FactWords | None = None
    """The words for facts, if any."""
    words: StepWords | None = None
    """The words for steps, if any."""
    is_paired: bool = False
    """Whether prompts are for training: their lines also have the plan of a solved instance."""

    def write(self, plan: Plan, instance: Instance[Any], task: Task) -> str:
        """Return a plan as the expected answer without reasoning."""
        write = self.styles["io"].write
        return write(plan, instance, task) if write else str(plan)
