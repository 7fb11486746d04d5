"""States: the ground atoms that hold and the values of the ground fluents."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.language import Ground

if TYPE_CHECKING:
    from pddl_pipeline.validation.axioms import Derivation


class State(NamedTuple):
    """One state of a task. Atoms not listed are false; fluents not listed are undefined."""

    facts: set[Ground]
    """The atoms that hold, derived ones included."""
    values: dict[Ground, Number]

    def __repr__(self) -> str:
        return f"<State: {len(self.facts)} facts, {len(self.values)} values>"

    def _repr_html_(self) -> str:
        return notebook_html(self)

    def copy(self) -> State:
        """Return an independent copy of this state."""
        return State(set(self.facts), dict(self.values))


class DerivedState(State):
    """A state that changes by steps only, so that its derived atoms are updated, not derived anew.

    Copies are ordinary states.
    """

    derivation: Derivation | None = None
    """How the atoms are derived; None until a fact changes that rules read."""


Change = tuple[Ground, str, Number]
"""A numeric effect: the fluent, ``assign``, ``increase``, ``decrease``, ``scale-up`` or
``scale-down``, and by how much."""


class Changes:
    """The changes that steps make to a state, in the order of the effects."""

    __slots__ = ("adds", "deletes", "updates", "values")

    def __init__(self, adds: list[Ground], deletes: list[Ground]) -> None:
        self.adds = adds
        self.deletes = deletes
        self.updates: list[Change] = []
        self.values: dict[Ground, Number] = {}
        """The new values of the fluents, after combining the updates."""

    def apply(self, state: State) -> None:
        """Apply the changes to a state: deletes before adds (Fox and Long 2003, section 6)."""
        state.facts.difference_update(self.deletes)
        state.facts.update(self.adds)
        state.values.update(self.values)
