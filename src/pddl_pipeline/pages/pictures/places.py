"""Finds which facts place an object: those of which at most one holds for each object.

`(at ?package ?place)` and `(in ?package ?truck)` are such a group. It is found as the translator of
Fast Downward finds its invariants (Helmert 2009), simplified: an action that adds a fact of the
group about an object must require and delete another one about the same object. Groups are checked
in all states that are drawn, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.validation.effects import changing_predicates, effects_of
from pddl_pipeline.validation.language import Action, Add, Atom, Delete, Types
from pddl_pipeline.validation.schema import conjuncts
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import Signature

Places = Mapping[str, str]
"""By object, the object that it is in, at or on."""
Positions = dict[str, int]
"""By predicate, the position (from 1) of one of its objects."""


class Group(NamedTuple):
    """Predicates that place an object together."""

    child: Positions
    """The position of the object that is placed."""
    parent: Positions
    """The position of its place, for predicates of more than one object."""


_LARGEST: Final = 6


class Placing:
    """The facts of a task that place objects."""

    def __init__(self, task: Task, states: Sequence[State]) -> None:
        changing = changing_predicates(task.vocabulary)
        self._groups: list[Group] = []
        self._fixed: list[Group] = []
        placed: set[str] = set()
        for group in self._by_coverage(_moving(task, changing), states):
            children = _children(group, states)
            if children and not children & placed:
                self._groups.append(group)
                placed |= children
        movers = frozenset(placed)
        for group in self._by_parents(_static(task, changing, states), states, movers):
            children = _children(group, states)
            if children and not children & placed:
                self._fixed.append(group)
                placed |= children
        self.predicates = frozenset(
            name for group in (*self._groups, *self._fixed) for name in group.parent
        )  # fmt: skip
        """The predicates whose facts the places show."""

    @staticmethod
    def _by_coverage(groups: list[Group], states: Sequence[State]) -> list[Group]:
        """Return the groups that hold in all states, those that place most objects first."""
        kept = [
            group for group in groups
            if all(_is_functional(group, each) for each in states) and _starts(group, states)
        ]  # fmt: skip
        return sorted(kept, key=lambda group: -len(_children(group, states)))

    @staticmethod
    def _by_parents(
        groups: list[Group], states: Sequence[State], movers: frozenset[str]
    ) -> list[Group]:
        """Return the groups whose parents move first: a camera is on its satellite."""

        def is_carried(group: Group) -> bool:
            return all(parent in movers for _, parent in _pairs(group, states[0]))

        return sorted(groups, key=lambda group: not is_carried(group))

    def of(self, state: State) -> dict[str, str]:
        """Return the places in a state, without circles."""
        places: dict[str, str] = {}
        for group in (*self._groups, *self._fixed):
            for child, parent in _pairs(group, state):
                if not _leads_to(places, parent, child):
                    places[child] = parent
        return places


def _leads_to(places: Places, start: str, goal: str) -> bool:
    at: str | None = start
    while at is not None and at != goal:
        at = places.get(at)
    return at == goal


def _pairs(group: Group, state: State) -> Iterator[tuple[str, str]]:
    """Yield each placed object with its place, in a fixed order."""
    for fact in sorted(state.facts):
        position = group.parent.get(fact[0])
        if position is not None:
            yield fact[group.child[fact[0]]], fact[position]


def _with_parents(child: Positions, predicates: Mapping[str, Signature]) -> Group:
    """Return a group with the position of the place in each predicate.

    It is the first other object; but if one has the type of the first predicate's place, that one.
    """
    parent: Positions = {}
    kind: Types | None = None
    for name, position in child.items():
        signature = predicates[name]
        others = [at for at in range(1, len(signature) + 1) if at != position]
        if others:
            alike = (at for at in others if signature[at - 1] == kind)
            parent[name] = next(alike, others[0])
            kind = kind or signature[parent[name] - 1]
    return Group(child, parent)


def _children(group: Group, states: Sequence[State]) -> set[str]:
    return {child for state in (states[0], states[-1]) for child, _ in _pairs(group, state)}


def _starts(group: Group, states: Sequence[State]) -> bool:
    """Return whether most objects have a place at first: the others appear later."""
    return 2 * len(_children(group, states[:1])) >= len(_children(group, states))


def _is_functional(group: Group, state: State) -> bool:
    facts = (fact for fact in state.facts if fact[0] in group.child)
    counts = Counter(fact[group.child[fact[0]]] for fact in facts)
    return all(count == 1 for count in counts.values())


def _moving(task: Task, changing: frozenset[str]) -> list[Group]:
    """Return the groups of changing predicates, each of which place an object."""
    predicates = task.vocabulary.predicates
    conditional = {
        each.atom.predicate for each in effects_of(task.vocabulary) if isinstance(each, Add)
    } - {
        each.atom.predicate
        for action in task.vocabulary.actions.values() for each in action.effects
        if isinstance(each, Add)
    }  # fmt: skip
    found: list[Group] = []
    for name, signature in predicates.items():
        if name in changing and name not in conditional | task.vocabulary.derived:
            for position in range(1, len(signature) + 1 if len(signature) > 1 else 0):
                child = _balanced({name: position}, list(task.vocabulary.actions.values()))
                if child is not None and all(child != each.child for each in found):
                    found.append(_with_parents(child, predicates))
    return found


def _balanced(group: Positions, actions: Sequence[Action]) -> Positions | None:
    """Return a group, extended until every action that adds to it deletes from it; or None."""
    while len(group) <= _LARGEST:
        open_end = next(filter(None, (_unbalanced(group, each) for each in actions)), None)
        if open_end is None:
            return group
        further = open_end[1]
        if further is None:
            return None
        group |= further
    return None


def _unbalanced(group: Positions, action: Action) -> tuple[str, Positions | None] | None:
    """Return an object about which an action adds more than it deletes, with what would help."""
    adds = [each.atom for each in action.effects if isinstance(each, Add)]
    required = {part for part in conjuncts(action.precondition) if isinstance(part, Atom)}
    deletes = [
        each.atom for each in action.effects if isinstance(each, Delete) and each.atom in required
    ]
    weight = Counter(_subject(group, atom) for atom in adds if atom.predicate in group)
    weight.subtract(_subject(group, atom) for atom in deletes if atom.predicate in group)
    for subject, count in weight.items():
        if count > 0:
            others = (
                {atom.predicate: atom.terms.index(subject) + 1} for atom in deletes
                if atom.predicate not in group and subject in atom.terms
            )  # fmt: skip
            # Binary facts say where the object is; unary ones may say only how it is.
            return subject, max(others, key=lambda each: _arity(each, deletes), default=None)
    return None


def _arity(group: Positions, atoms: Sequence[Atom]) -> int:
    return max(len(atom.terms) for atom in atoms if atom.predicate in group)


def _subject(group: Positions, atom: Atom) -> str:
    return atom.terms[group[atom.predicate] - 1]


def _static(task: Task, changing: frozenset[str], states: Sequence[State]) -> list[Group]:
    """Return the predicates that never change and give each object one place of another type."""
    found = []
    for name, signature in task.vocabulary.predicates.items():
        is_typed = signature != (("object",), ("object",))
        if name in changing or len(signature) != 2 or (is_typed and signature[0] == signature[1]):
            continue
        group = Group({name: 1}, {name: 2})
        pairs = list(_pairs(group, states[0]))
        parents = {parent for _, parent in pairs}
        is_nesting = len(parents) < len(pairs) or len(pairs) == 1
        if (
            pairs
            and is_nesting
            and parents.isdisjoint(child for child, _ in pairs)
            and _is_functional(group, states[0])
        ):
            found.append(group)
    return found
