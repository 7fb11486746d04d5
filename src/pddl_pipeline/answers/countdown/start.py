"""The data of a task that the reader of countdown answers needs, computed once."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.domains.countdown_rules import PYTHON_RULES, Rules
from pddl_pipeline.translators.given_pddl import own_record, their_names
from pddl_pipeline.translators.problems import objects_of
from pddl_pipeline.validation.task import Task

PAPER: Final = Rules()
_STARTS: Final[WeakKeyDictionary[Task, tuple[Instance[Any], Start | None]]] = WeakKeyDictionary()
_NEGATIVES: Final = Rules(**PYTHON_RULES)


class Operand(NamedTuple):
    """A number that an operation combines."""

    value: Number | None
    """None if it is unknown: after a division by 0, or if it is too large."""
    name: str | None
    """Name of its object; None if it is not on the board."""
    turned: bool = False
    """Whether the object holds minus the value, because of a sign before it."""


class Start(NamedTuple):
    """A countdown task, prepared for reading answers."""

    numbers: dict[str, int]
    """Value by name of the object."""
    places: dict[Number, tuple[Operand, ...]]
    """The objects by value."""
    target: int
    """The number to reach."""
    actions: dict[str, str]
    """The task's names of actions that differ from this project's names."""
    judged: str
    """The rules by which answers count: ``source`` if the record has rules, else ``paper``."""
    rules: dict[str, Rules]
    """All rules under which answers are judged, by name; ``paper`` first."""
    slack: dict[str, Fraction]
    """Allowed difference from the target, by name of the rules."""


def start_of(instance: Instance[Any], task: Task) -> Start | None:
    """Return the prepared task; None for PDDL that only has the actions of countdown."""
    known = _STARTS.get(task)
    if known is None or known[0] is not instance:
        known = _STARTS[task] = instance, _start(instance, task)
    return known[1]


def _start(instance: Instance[Any], task: Task) -> Start | None:
    form, actions = own_record(instance), their_names(instance)
    if not isinstance(form, Countdown):
        return None
    numbers = dict(zip(objects_of(task, "num"), form.numbers, strict=True))
    places: dict[Number, tuple[Operand, ...]] = {}
    for name, value in numbers.items():
        places[value] = (*places.get(value, ()), Operand(value, name))
    own = instance.extras.get("rules")
    others = {"negatives": _NEGATIVES} if own is None else {"source": msgspec.convert(own, Rules)}
    rules = {"paper": PAPER, **others}
    slack = {name: Fraction(Decimal(of.tolerance)) for name, of in rules.items()}
    judged = "paper" if own is None else "source"
    return Start(numbers, places, form.target, actions, judged, rules, slack)
