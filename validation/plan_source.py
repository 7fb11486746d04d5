"""The forms in which a caller can pass a plan."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.plan import Plan, Step

if TYPE_CHECKING:
    from pathlib import Path

    PlanSource = str | Path | Plan | Sequence[str | Step]
    """Text in the IPC form, a file, or steps. A string is always text, never a path."""


def plan_text(plan: PlanSource) -> str:
    """Return a plan as text in the IPC form.

    Raises:
        InputError: the file cannot be read.
        TypeError: ``plan`` is not a `PlanSource`.
    """
    if isinstance(plan, str):
        return plan
    if isinstance(plan, os.PathLike):
        return read_file(plan)
    if not isinstance(plan, Sequence) or isinstance(plan, (bytes, Step)):
        found = type(plan).__name__
        raise TypeError(
            f"plan: found {found}, expected text, a Path, a Plan or a sequence of steps"
        )
    for number, step in enumerate(plan, start=1):
        if not isinstance(step, (str, Step)):
            found = type(step).__name__
            raise TypeError(f"plan: step {number} is {found}, expected text such as '(stack a b)'")
    return "".join(f"{step}\n" for step in plan)
