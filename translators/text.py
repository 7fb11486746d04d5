"""What a domain plugs in for words: one `Text` in its own file ``<domain>_text.py``, named TEXT."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pddl_pipeline.model.answer import ReadAnswer
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.task import Task

if TYPE_CHECKING:
    from pddl_pipeline.translators.answers.sentences import Words
    from pddl_pipeline.translators.statements.facts import FactWords

Reader = Callable[[str, Instance[Any], Task], ReadAnswer]
"""From an answer, the instance and its task to what the answer tells."""


Telling = Callable[[Instance[Any], Task], str]
"""From an instance and its task to words."""


def always(instance: Instance[Any], task: Task) -> bool:
    """Return True: what a statement covers that has words for everything."""
    del instance, task
    return True


def as_it_is(example: Instance[Any], plan: Plan, instance: Instance[Any]) -> Instance[Any]:
    """Return the example: what a statement shows before an instance that changes nothing of it."""
    del plan, instance
    return example


@dataclass(frozen=True, slots=True)
class Style:
    """How an answer is asked for, and what it looks like: with or without reasoning."""

    tell: Callable[[Plan, Instance[Any], Task], str]
    """A plan as it is to be answered, marks and reasoning included."""
    ask: str = ""
    """What is said of the answer once, behind the actions; may be empty."""
    opening: str = ""
    """What stands between a task and its answer, which begins on the line below; may be empty."""


@dataclass(frozen=True, slots=True)
class Statement:
    """How a paper puts a task into words."""

    domain: Telling
    """What comes first: the actions and their restrictions."""
    task: Telling
    """The initial state and the goal of one instance."""
    styles: Mapping[str, Style]
    """By name, ``io`` and ``cot``."""
    shots: int = 0
    """How many solved examples the paper shows before the task."""
    covers: Callable[[Instance[Any], Task], bool] = always
    """Whether it has words for all that the task asks for."""
    adapt: Callable[[Instance[Any], Plan, Instance[Any]], Instance[Any]] = as_it_is
    """An example, with its plan, as it is shown before an instance: what the statement says once
    for all tasks must be true of both."""
    facts: FactWords | None = None
    """How it tells facts, where it has words for them."""
    words: Words | None = None
    """How it tells steps, where it has words for them."""

    def tell(self, plan: Plan, instance: Instance[Any], task: Task) -> str:
        """Return a plan in the words in which the answer is to be given, without reasoning."""
        return self.styles["io"].tell(plan, instance, task)


@dataclass(frozen=True, slots=True)
class Text:
    """How one domain's tasks and plans are put into words, and read from them."""

    parse_answer: Reader
    """Reads a plan from free text, tolerantly, never guessing an object. Never raises for what
    the text holds, and takes time in proportion to its length. Plan files are not its task, unless
    it has rules."""
    has_rules: bool = False
    """Whether what is read is judged by rules beside PDDL's, so that a plan file is read too."""
    readings: Mapping[str, Reader] = field(default_factory=dict)
    """By name, how others read the same answers; what they would find is told beside."""
    statements: Mapping[str, Statement] = field(default_factory=dict)
    """By name (``planbench``, ``simplan``, ``cats``, ``countdown``); the first is the default."""
    actions: frozenset[str] = frozenset()
    """Names of the actions of PDDL that is given and not recognised as one of our domains, but can
    be read all the same."""
