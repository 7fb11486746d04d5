"""States: the ground atoms that hold and the values of the ground fluents."""

from __future__ import annotations

from typing import NamedTuple

from pddl_pipeline.model.errors import without_order
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.text import atom_text, shortened
from pddl_pipeline.validation.language import Ground


@without_order
class State(NamedTuple):
    """One state of a task. Atoms not listed are false; fluents not listed are undefined.

    States are equal if their facts and values are; do not change one that is in a set.
    """

    facts: set[Ground]
    """The atoms that hold, derived ones included."""
    values: dict[Ground, Number]

    def __hash__(self) -> int:
        return hash((frozenset(self.facts), frozenset(self.values.items())))

    def __repr__(self) -> str:
        """Return the first facts, and a number that tells states apart."""
        parts = sorted(map(atom_text, self.facts))
        parts += sorted(
            f"(= {atom_text(name)} {number_text(value)})" for name, value in self.values.items()
        )
        text = " ".join(parts)
        from zlib import crc32  # slow to import

        return f"<State {crc32(text.encode(errors='replace')):08x}: {shortened(text)}>"

    def _repr_html_(self) -> str:
        return notebook_html(self)

    def copy(self) -> State:
        """Return an independent copy of this state."""
        return State(set(self.facts), dict(self.values))


class DerivedState(State):
    """A state that changes by steps only, so that its derived atoms are updated, not derived anew.

    Copies are ordinary states.
    """

    derivation: object = None
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
