"""A state: which ground atoms hold, and which values the ground fluents have."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(slots=True)
class Changes:
    """What one step does to a state."""

    adds: set[Ground]
    deletes: set[Ground]
    values: dict[Ground, Number]

    def changed(self) -> set[Ground]:
        """Return the atoms and fluents that are written."""
        return self.adds | self.deletes | self.values.keys()

    def apply(self, state: State) -> None:
        """Change the state: deletes before adds (Fox and Long 2003, section 6)."""
        state.facts -= self.deletes
        state.facts |= self.adds
        if self.values:
            state.values.update(self.values)
