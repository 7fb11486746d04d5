"""A sequential plan: ground actions in the order of execution.

This module and the others that ``validate`` imports use named tuples instead of dataclasses:
importing ``dataclasses`` takes longer than judging a small task.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text, shortened


class Step(NamedTuple):
    """One ground action of a plan."""

    action: str
    """Name of the action, lower case."""
    arguments: tuple[str, ...] = ()
    """Names of the objects, lower case, in the order of the action's parameters."""
    line: int = 0
    """1-based line of the step in the text it was read from; 0 if a program created the step."""
    column: int = 0
    """1-based column of the step's opening parenthesis; 0 if a program created the step."""
    time: Fraction | None = None
    """The time stamp, if the plan has time stamps."""
    duration: str | None = None
    """The duration as it is written, if the step has one."""

    def __str__(self) -> str:
        return atom_text((self.action, *self.arguments))

    def __repr__(self) -> str:
        return f"<Step {shortened(str(self))}>"


class Plan(tuple[Step, ...]):  # noqa: SLOT001 -- a subclass of tuple has no slots
    """The steps of a plan in the order of execution."""

    end: Number | None = None
    """The time at which the plan ends, if it is given, as in plans of PDDL+."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps."""
        return self

    def __str__(self) -> str:
        """Return the IPC format: one step per line, each line terminated."""
        return "".join(f"{step}\n" for step in self)

    def __repr__(self) -> str:
        noun = "step" if len(self) == 1 else "steps"
        return f"<Plan of {len(self)} {noun}: {shortened(' '.join(map(str, self)))}>"

    def _repr_html_(self) -> str:
        return notebook_html(self)
