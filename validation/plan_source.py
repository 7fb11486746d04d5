"""The forms in which a caller can pass a plan."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.plan_reader import GivenSteps, Steps, read_steps

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    PlanSource = str | Path | Plan | Sequence[str] | Sequence[Step]
    """Text in the IPC format, a file, or steps. A string is always text, never a path."""

# More than the digits that a time stamp in a plan file can have.
_STAMP_DIGITS: Final = 1000


def given_plan(plan: PlanSource) -> str | Plan:
    """Return a plan as a `Plan` if it consists of `Step` objects, otherwise as text.

    Raises:
        InputError: the file cannot be read.
        TypeError: ``plan`` is not a `PlanSource`.
    """
    if isinstance(plan, (str, Plan)):
        return plan
    if isinstance(plan, os.PathLike):
        return read_file(plan)
    if not isinstance(plan, Sequence) or isinstance(plan, (bytes, Step)):
        found = type(plan).__name__
        raise TypeError(
            f"plan: found {found}, expected text, a Path, a Plan or a sequence of steps"
        )
    steps = [step for step in plan if isinstance(step, Step)]
    if steps and len(steps) == len(plan):
        # As text, the steps would lose their time stamps.
        return Plan(steps)
    for number, step in enumerate(plan, start=1):
        if not isinstance(step, str):
            found = type(step).__name__
            raise TypeError(f"plan: step {number} is {found}, expected text such as '(stack a b)'")
    return "".join(f"{step}\n" for step in plan)


def given_steps(plan: PlanSource) -> Steps:
    """Return the steps of a plan in any form that `given_plan` accepts.

    Raises:
        InputError, TypeError: as for `given_plan`.
        PlanSyntaxError: the text is not a plan.
    """
    given = given_plan(plan)
    return GivenSteps(given) if isinstance(given, Plan) else read_steps(given)


def plan_file(plan: Plan) -> str:
    """Return the text of a plan file, with the time stamps of the steps that have one."""
    stamps = ("" if step.time is None else f"{_stamp(step.time)}: " for step in plan)
    return "".join(f"{stamp}{step}\n" for stamp, step in zip(stamps, plan, strict=True))


def _stamp(time: Fraction) -> str:
    from decimal import Decimal, localcontext  # noqa: PLC0415 -- rarely needed, slow to import

    with localcontext() as context:
        context.prec = _STAMP_DIGITS
        return f"{Decimal(time.numerator) / Decimal(time.denominator):f}"
