"""Countdown: combine all numbers by + - * / to reach the target (Katz et al., section 3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

import msgspec

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import MAX_DIGITS, Number, normal
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.pddl_printing import Fact, problem_text
from pddl_pipeline.translators.recovery import objects_of
from pddl_pipeline.translators.referee import play_all
from pddl_pipeline.translators.translator import Encoding, Translator
from pddl_pipeline.validation.task import Task

_TOO_LARGE: Final = 10**MAX_DIGITS


@dataclass(frozen=True, slots=True)
class Countdown:
    """The numbers at the start, and the number that must be left at the end."""

    numbers: tuple[int, ...]
    target: int

    def __post_init__(self) -> None:
        if not self.numbers:
            raise FieldFault("numbers", "found no number, expected at least one")
        for field, values in (("numbers", self.numbers), ("target", (self.target,))):
            for value in values:
                if value < 0:
                    raise FieldFault(field, f"found {value}, expected 0 or more")
                if value >= _TOO_LARGE:
                    raise FieldFault(field, f"found a number of more than {MAX_DIGITS} digits")


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a source. The defaults are the rules of Katz et al."""

    negatives: bool = False
    """Whether intermediate results may be negative."""
    fractions: bool = True
    """Whether intermediate results may be fractions."""
    all_used: bool = True
    """Whether every number must be used."""
    division: Literal["positive", "nonzero", "exact"] = "positive"
    """Allowed divisions: by positive numbers; by any number but 0; without a remainder."""
    tolerance: str = "0"
    """Allowed difference between result and target, for sources that compare floats."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"\d{1,20}(\.\d{1,20})?", self.tolerance, re.ASCII):
            found = repr(self.tolerance[:40])
            raise FieldFault("rules", f"found tolerance {found}, expected one such as '0.001'")


def _problem(instance: Instance[Countdown]) -> str:
    return _written(instance, "countdown", {("value", x): n for x, n in _named(instance)})


def _rational_problem(instance: Instance[Countdown]) -> str:
    """Write each number as an integer numerator and an integer denominator."""
    values: dict[Fact, int] = {("numerator", name): n for name, n in _named(instance)}
    values |= {("denominator", name): 1 for name, _ in _named(instance)}
    return _written(instance, "countdown-rational", values)


def _written(instance: Instance[Countdown], domain: str, values: Mapping[Fact, int]) -> str:
    names = [name for name, _ in _named(instance)]
    return problem_text(
        instance.id,
        domain,
        dict.fromkeys(names, "num"),
        [("active", name) for name in names],
        [("goalreached",)],
        values={**values, ("targetvalue",): instance.record.target, ("numactive",): len(names)},
    )


def _named(instance: Instance[Countdown]) -> list[tuple[str, int]]:
    """Return the objects and their numbers."""
    numbers = instance.record.numbers
    return list(zip(_names(len(numbers)), numbers, strict=True))


def _names(count: int) -> list[str]:
    return [f"n{position}" for position in range(1, count + 1)]


def _recover(task: Task, _: str) -> Countdown:
    return _recovered(task, "value")


def _rational_recover(task: Task, _: str) -> Countdown:
    return _recovered(task, "numerator")


def _recovered(task: Task, function: str) -> Countdown:
    values = task.facts.values
    numbers = tuple(int(values[function, name]) for name in objects_of(task, "num"))
    return Countdown(numbers, int(values["targetvalue",]))


def _referee(instance: Instance[Countdown], plan: Plan) -> str | None:
    board: dict[str, Number] = dict(_named(instance))
    return play_all(
        plan,
        lambda step: _play(step, board, instance.record.target),
        [("goalreached",)],
        lambda _: any(step.action == "checkgoal" for step in plan.steps),
    )


def _play(step: Step, board: dict[str, Number], target: int) -> str | None:
    """Combine two numbers on the board, or check the last one; return the fault, or None."""
    for name in step.arguments:
        if name not in board:
            return f"{name} is not on the board"
    if step.action == "checkgoal":
        (left,) = step.arguments
        if len(board) > 1:
            return f"{len(board)} numbers are left"
        return None if board[left] == target else f"{board[left]} is left, not {target}"
    first, second = step.arguments
    if first == second:
        return "a number cannot be combined with itself"
    x, y = board[first], board.pop(second)
    if step.action == "subtract" and x < y:
        return f"{x} - {y} is negative"
    if step.action == "divide" and y == 0:
        return f"{x} / 0"
    board[first] = _combined(step.action, x, y)
    return None


def _combined(action: str, x: Number, y: Number) -> Number:
    if action == "add":
        return x + y
    if action == "subtract":
        return x - y
    return x * y if action == "multiply" else normal(Fraction(x, y))


TRANSLATOR = Translator(
    record_type=Countdown,
    size=lambda task: len(task.numbers),
    unit="numbers",
    problem=_problem,
    recover=_recover,
    referee=_referee,
    features=frozenset({"numeric"}),
    rules=Rules,
    further={"rational": Encoding("rational", _rational_problem, _rational_recover)},
)
