"""The picture of a domain as data: which facts place what in what, and how each kind looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class Rule(NamedTuple):
    """A predicate whose facts place something: in something else, or on it.

    Both are objects of the fact, ``{1}`` the first, or names of things that are no objects, such as
    ``the ferry`` and ``{1} {3}``.
    """

    predicate: str
    child: str
    parent: str
    look: str = "box"
    """The look of what is placed, if `Profile.looks` has none."""
    on: bool = False
    """Whether it stands on the other one, not in it."""


class Profile(NamedTuple):
    """How the states of a task are drawn."""

    predicates: Mapping[str, int]
    """The predicates of the domain with their arities. A task that changes others has no picture by
    this profile, since that would leave out facts."""
    rules: Sequence[Rule]
    """Of several rules for one thing, the first one with a fact places it."""
    looks: Mapping[str, str]
    """By type, unary fact that never changes, or name: the look. Objects that have none and are in
    no rule's fact are not drawn; things whose names begin with ``the`` are always."""
    kinds: Sequence[str] = ()
    """Types or unary facts of which a task without objects is of another domain."""
    badges: Mapping[str, str] = MappingProxyType({})
    """By unary predicate, the text of the badge on objects for which it holds."""
    tints: Sequence[str] = ()
    """Binary predicates: the first object has the colour that the second one stands for."""
    grid: str = ""
    """The predicate of neighbouring cells of a map, and of a direction as third object if any."""
