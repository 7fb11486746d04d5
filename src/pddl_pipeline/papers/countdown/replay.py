"""Exact replays of claimed plans of countdown: their last number and the zeros they make."""

from __future__ import annotations

from contextlib import suppress
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import StepFails
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.translators import translate
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import task_of

_WIDE: Final = Context(prec=3, Emax=10**9, Emin=-(10**9))


class Replay(NamedTuple):
    """The result of a plan that was replayed as far as its steps are applicable."""

    last: Number | None
    """The number that is left at the end; None if several are."""
    zeros: int
    """The number of steps before the last operation that make a 0."""

    def miss(self, target: int) -> Number | None:
        """Return the distance of the last number from the target; None without a last number."""
        return None if self.last is None else normal(abs(Fraction(self.last) - target))


def replay(instance: Instance[Any], run: RunResult) -> Replay:
    """Replay the plan of a run, in any encoding, on its instance.

    Raises:
        PlanSyntaxError: the plan is not a plan of countdown.
    """
    texts = translate(instance)
    states: list[State] = []
    with suppress(StepFails):
        states.extend(task_of(texts).trace("\n".join(run.plan or ())))
    boards = [_active(state) for state in states]
    left = boards[-1]
    zeros = sum(
        after.count(0) > before.count(0) for before, after in pairwise(boards) if len(after) > 1
    )
    return Replay(left[0] if len(left) == 1 else None, zeros)


def _active(state: State) -> list[Number]:
    return [state.values["value", fact[1]] for fact in state.facts if fact[0] == "active"]


def magnitude(value: Number) -> str:
    """Return a number of any magnitude with three significant digits, such as ``2.80e-20``."""
    exact = Fraction(value)
    return f"{_WIDE.divide(Decimal(exact.numerator), Decimal(exact.denominator)):.2e}"
