"""Countdown: combine all numbers by + - * / to reach the target (Katz et al., section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import MAX_DIGITS
from pddl_pipeline.translators.domains.countdown_referee import referee
from pddl_pipeline.translators.domains.countdown_rules import Rules
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.problems import objects_of, problem_text
from pddl_pipeline.translators.referee import Fact
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

    @property
    def board(self) -> dict[str, int]:
        """The numbers by the names of their objects in PDDL."""
        return {f"n{position}": number for position, number in enumerate(self.numbers, start=1)}


def _problem(instance: Instance[Countdown]) -> str:
    values: dict[Fact, int] = {
        ("value", name): number for name, number in instance.record.board.items()
    }
    return _written(instance, "countdown", values)


def _rational_problem(instance: Instance[Countdown]) -> str:
    """Write each number as an integer numerator and an integer denominator."""
    board = instance.record.board
    values: dict[Fact, int] = {("numerator", name): number for name, number in board.items()}
    values |= {("denominator", name): 1 for name in board}
    return _written(instance, "countdown-rational", values)


def _written(instance: Instance[Countdown], domain: str, values: Mapping[Fact, int]) -> str:
    names = list(instance.record.board)
    return problem_text(
        instance.id,
        domain,
        dict.fromkeys(names, "num"),
        [("active", name) for name in names],
        [("goalreached",)],
        values={**values, ("targetvalue",): instance.record.target, ("numactive",): len(names)},
    )


def _recovered(task: Task, function: str) -> Countdown:
    values = task.facts.values
    numbers = tuple(int(values[function, name]) for name in objects_of(task, "num"))
    return Countdown(numbers, int(values["targetvalue",]))


TRANSLATOR = Translator(
    record_type=Countdown,
    size=lambda task: len(task.numbers),
    unit="numbers",
    problem=_problem,
    recover=lambda task, _: _recovered(task, "value"),
    referee=referee,
    features=frozenset({"numeric"}),
    rules=Rules,
    further={
        "rational": Encoding(
            "rational", _rational_problem, lambda task, _: _recovered(task, "numerator")
        )
    },
)
