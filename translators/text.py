"""What a domain plugs in for words: one `Text` in its own file ``<domain>_text.py``, named TEXT."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pddl_pipeline.model.answer import ReadAnswer
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.task import Task

Reader = Callable[[str, Instance[Any], Task], ReadAnswer]
"""From an answer, the instance and its task to what the answer tells."""


@dataclass(frozen=True, slots=True)
class Statement:
    """How a paper puts a task into words."""

    domain: Callable[[Instance[object], Task], str]
    """What comes first: the actions and their restrictions."""
    task: Callable[[Instance[object], Task], str]
    """The initial state and the goal of one instance."""
    tell: Callable[[Plan, Instance[object], Task], str]
    """A plan in the words in which the answer is to be given."""


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
