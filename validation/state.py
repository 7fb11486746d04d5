"""A state: which ground atoms hold, and which values the ground fluents have."""

from __future__ import annotations

from typing import NamedTuple

from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.language import Ground


class State(NamedTuple):
    """One state of a task. Atoms that are not listed are false, fluents not listed undefined."""

    facts: set[Ground]
    """The atoms that hold, derived ones included."""
    values: dict[Ground, Number]

    def __repr__(self) -> str:
        return f"<State: {len(self.facts)} facts, {len(self.values)} values>"

    def copy(self) -> State:
        """Return a state that changes independently of this one."""
        return State(set(self.facts), dict(self.values))


Change = tuple[Ground, str, Number]
"""A numeric effect: the fluent, ``assign``, ``increase``, ``decrease``, ``scale-up`` or
``scale-down``, and by how much."""


class Changes:
    """What one step does to a state; everything in the order of the effects."""

    __slots__ = ("adds", "deletes", "updates", "values")

    def __init__(self) -> None:
        self.adds: list[Ground] = []
        self.deletes: list[Ground] = []
        self.updates: list[Change] = []
        self.values: dict[Ground, Number] = {}
        """The new values of the fluents, the updates combined."""

    def apply(self, state: State) -> None:
        """Change the state: deletes before adds (Fox and Long 2003, section 6)."""
        state.facts.difference_update(self.deletes)
        state.facts.update(self.adds)
        state.values.update(self.values)
