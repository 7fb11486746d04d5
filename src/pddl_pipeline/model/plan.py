"""A sequential plan: ground action names in the order in which they are executed.

Named tuples and no dataclasses, here and in what else a small ``validate`` imports: the module
``dataclasses`` takes longer to import than such a task to judge.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pddl_pipeline.model.shortening import shortened


class Step(NamedTuple):
    """One ground action of a plan."""

    action: str
    """Name of the action, lower case."""
    arguments: tuple[str, ...] = ()
    """Names of the objects, lower case, in the order of the action's parameters."""
    line: int = 0
    """Line of the step in the text that it was read from, 1-based; 0 when made by a program."""
    column: int = 0
    """Column of the step's opening parenthesis, 1-based; 0 when made by a program."""
    time: Fraction | None = None
    """The time stamp, when the plan has them."""

    def __str__(self) -> str:
        return f"({' '.join((self.action, *self.arguments))})"

    def __repr__(self) -> str:
        return f"<Step {shortened(str(self))}>"


class Plan(tuple[Step, ...]):
    """The steps of a plan in the order of execution."""

    __slots__ = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps."""
        return self

    def __str__(self) -> str:
        """The IPC form: one step a line, each line ended."""
        return "".join(f"{step}\n" for step in self)

    def __repr__(self) -> str:
        noun = "step" if len(self) == 1 else "steps"
        return f"<Plan of {len(self)} {noun}: {shortened(' '.join(map(str, self)))}>"
