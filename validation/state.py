"""A state: which ground atoms hold, and which values the ground fluents have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.language import Ground


@dataclass(slots=True)
class State:
    """One state of a task. Atoms that are not listed are false, fluents not listed undefined."""

    facts: set[Ground]
    """The atoms that hold, derived ones included."""
    values: dict[Ground, Number]

    def copy(self) -> State:
        """Return a state that changes independently of this one."""
        return State(set(self.facts), dict(self.values))


class Change(NamedTuple):
    """One numeric effect with its operands' values."""

    fluent: Ground
    operator: str
    """``assign``, ``increase``, ``decrease``, ``scale-up`` or ``scale-down``."""
    amount: Number


class Changes(NamedTuple):
    """What one step does to a state; everything in the order of the effects."""

    adds: list[Ground]
    deletes: list[Ground]
    updates: list[Change]
    values: dict[Ground, Number]
    """The new values of the fluents, the updates combined."""

    def apply(self, state: State) -> None:
        """Change the state: deletes before adds (Fox and Long 2003, section 6)."""
        state.facts.difference_update(self.deletes)
        state.facts.update(self.adds)
        state.values.update(self.values)
