"""States: the ground atoms that hold and the values of the ground fluents."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.text import atom_text, shortened
from pddl_pipeline.validation.language import Ground


class State:
    """One state of a task. Atoms not listed are false; fluents not listed are undefined.

    States are equal if their facts and values are. One that is in a set, or a key of a dict, can no
    longer be changed; its copies can.
    """

    __slots__ = ("facts", "values")

    facts: set[Ground]
    """The atoms that hold, derived ones included."""
    values: dict[Ground, Number]

    def __init__(self, facts: set[Ground], values: dict[Ground, Number]) -> None:
        _set_facts(self, facts)
        _set_values(self, values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot assign to '{name}': expected State(facts, values)")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.facts == other.facts and self.values == other.values

    def __hash__(self) -> int:
        # A set would not find a state again that changes after it was added.
        if not self.is_fixed:
            _set_facts(self, frozenset(self.facts))
            _set_values(self, MappingProxyType(self.values.copy()))
        return hash((self.facts, frozenset(self.values.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (set(self.facts), dict(self.values))

    @property
    def is_fixed(self) -> bool:
        """Whether the state can no longer be changed."""
        return isinstance(self.facts, frozenset)

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


# The setters of the slots themselves: they bypass `__setattr__`.
_set_facts: Final = vars(State)["facts"].__set__
_set_values: Final = vars(State)["values"].__set__


class DerivedState(State):
    """A state that changes by steps only, so that its derived atoms are updated, not derived anew.

    Copies are ordinary states.
    """

    __setattr__ = object.__setattr__  # type: ignore[assignment]
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
