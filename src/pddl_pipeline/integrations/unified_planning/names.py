"""PDDL names for the items of a Unified Planning problem."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Final

from pddl_pipeline.integrations.unified_planning.expressions import quantified_types
from pddl_pipeline.integrations.unified_planning.kinds import words

_KINDS: Final = {"_UserType": "type", "Object": "object", "Fluent": "fluent"}


_VALID: Final = re.compile(r"[a-z][a-z0-9_-]*")
# Words with a meaning in some version of PDDL, or that some reader does not accept as a name.
_RESERVED: Final = words("""
    action adl all always always-within and assign at at-most-once condition conditional-effects
    constants constraints contingent continuous-effects control decrease define derived
    derived-predicates disjunctive-preconditions domain duration durative-action durative-actions
    effect either end equality event exists existential-preconditions fluents forall goal
    hold-after hold-during imply increase init is-violated maximize metric minimize name
    negative-preconditions not number object objects or over parameters precondition predicates
    preference preferences problem process quantified-preconditions requirements scale-down scale-up
    sometime sometime-after sometime-before start strips time timed-initial-effects
    timed-initial-literals total-cost total-time types typing universal-preconditions when within
""")


class ItemNames:
    """The names of a problem's types, objects, fluents, actions and variables."""

    def __init__(self, problem: Any) -> None:
        self.types = list(dict.fromkeys([*problem.user_types, *quantified_types(problem)]))
        """All types."""
        groups = {
            "type": self.types,
            "action": problem.actions,
            "object": problem.all_objects,
            "fluent": problem.fluents,
        }
        items = [((kind, each.name), each.name) for kind, found in groups.items() for each in found]
        self._names = pddl_names(items)
        self._variables: dict[Any, str] = {}
        self.actions = {
            action.name: self._names["action", action.name] for action in problem.actions
        }
        """The name of each action."""
        self.objects = {
            thing.name: self._names["object", thing.name] for thing in problem.all_objects
        }
        """The name of each object."""

    def of(self, item: Any) -> str:
        """Return the name of an item; a variable's has a question mark."""
        kind = _KINDS.get(type(item).__name__)
        if kind is not None:
            return self._names[kind, item.name]
        if item not in self._variables:
            taken = [(name, name[1:]) for name in self._variables.values()]
            self._variables[item] = f"?{pddl_names([*taken, (item, item.name)])[item]}"
        return self._variables[item]


def pddl_names(items: Iterable[tuple[Hashable, str]], letter: str = "x") -> Mapping[Hashable, str]:
    """Return a different PDDL name for each item.

    A name that every PDDL reader accepts is kept. Other names become lower case, with ``_`` for
    each character that PDDL does not allow, and a number where two items would have one name.

    Args:
        items: keys of the items, and their names.
        letter: put before a name that does not begin with a letter.
    """
    found: dict[Hashable, str] = {}
    taken = set(_RESERVED)
    # Names that are kept come first.
    ordered = sorted(
        dict(items).items(),
        key=lambda each: each[1] in _RESERVED or not _VALID.fullmatch(each[1]),
    )
    for key, name in ordered:
        found[key] = _free_name(_mangled(name, letter), taken)
        taken.add(found[key])
    return found


def _mangled(name: str, letter: str) -> str:
    changed = re.sub(r"[^a-z0-9_-]", "_", name.lower())
    return changed if _VALID.fullmatch(changed) else f"{letter}_{changed}"


def _free_name(name: str, taken: set[str]) -> str:
    if name in _RESERVED:
        name = f"{name}_"
    free, count = name, 0
    while free in taken:
        free, count = f"{name}_{count}", count + 1
    return free
