"""The picture of a domain as data: which facts place what in what, and how each kind looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pddl_pipeline.validation.language import Ground


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A predicate whose facts place something: in something else, or on it.

    Both are objects of the fact, ``{1}`` the first, or names of things that are no objects, such as
    ``the ferry`` and ``{1} {3}``.
    """

    predicate: str
    child: str = "{1}"
    parent: str = "{2}"
    look: str = ""
    """The look of what is placed, if `Profile.looks` has none."""
    on: bool = False
    """Whether it stands on the other one, not in it."""

    def pair(self, fact: Ground) -> tuple[str, str]:
        """Return what a fact of the predicate places, and where."""
        return self.child.format(*fact), self.parent.format(*fact)


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the states of a task are drawn."""

    predicates: Mapping[str, int] = {}
    """The predicates of the domain with their arities; ``a|b`` if a variant calls it b. A task that
    changes others has no picture by this profile, since that would leave out facts. A profile
    without predicates is for any domain: all objects are drawn, and the facts that no rule and no
    badge shows are listed."""
    rules: Sequence[Rule] = ()
    """Of several rules for one thing, the first one with a fact places it."""
    looks: Mapping[str, str] = {}
    """By type, unary fact that never changes, or name: the look; ``hidden`` for no drawing. With
    predicates, objects that have none and are in no rule's fact are not drawn; things whose names
    begin with ``the`` are always."""
    kinds: Sequence[str] = ()
    """Types or unary facts of which a task without objects is of another domain."""
    badges: Mapping[str, str] = {}
    """By predicate, the text of the badge on the first object of a fact; ``{2}`` for the second."""
    colours: Sequence[str] = ()
    """Binary predicates: the first object has the colour that the second one stands for."""
    grid: Sequence[str] = ()
    """The predicates of neighbouring cells of a map: with a direction as third object, or named
    after one, as ``(up a b)`` for a above b, or neither."""
    about: str = ""
    """What is drawn, in a line below the picture."""
    limit: int = 200
    """The maximum number of objects in a picture."""
