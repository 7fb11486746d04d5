"""A sequential plan: ground action names in the order in which they are executed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Step:
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


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a plan in the order of execution."""

    steps: tuple[Step, ...]

    def __len__(self) -> int:
        return len(self.steps)

    def __str__(self) -> str:
        """The IPC form: one step a line, each line ended."""
        return "".join(f"{step}\n" for step in self.steps)
