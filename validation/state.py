"""A state: which ground atoms hold, and which values the ground fluents have."""

from __future__ import annotations

from dataclasses import dataclass

from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.language import Ground


@dataclass(slots=True)
class State:
    """One state of a task. Atoms that are not listed are false, fluents not listed undefined."""

    facts: set[Ground]
    values: dict[Ground, Number]

    def copy(self) -> State:
        """Return a state that changes independently of this one."""
        return State(set(self.facts), dict(self.values))


@dataclass(frozen=True, slots=True)
class Changes:
    """What one step does to a state."""

    adds: set[Ground]
    deletes: set[Ground]
    values: dict[Ground, Number]

    def apply(self, state: State) -> None:
        """Change the state: deletes before adds (Fox and Long 2003, section 6)."""
        state.facts -= self.deletes
        state.facts |= self.adds
        state.values.update(self.values)
