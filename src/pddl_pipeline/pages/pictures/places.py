"""Finds which facts place an object: those of which at most one holds for each object.

`(at ?package ?place)` and `(in ?package ?truck)` place packages. Such facts are found in the states
that are drawn: a predicate places the objects at one of its positions if none of them has two
places in any state, its facts and those of the predicates chosen before taken together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates

Places = Mapping[str, str]
"""By object, the object that it is in, at or on."""
_PLAIN: Final = ("object",)


class _Rule(NamedTuple):
    """A predicate that places objects, with the positions (from 1) of the object and its place."""

    predicate: str
    child: int
    parent: int

    def pairs(self, state: State) -> list[tuple[str, str]]:
        """Return each placed object with its place, in a fixed order."""
        facts = sorted(fact for fact in state.facts if fact[0] == self.predicate)
        return [(fact[self.child], fact[self.parent]) for fact in facts]

    def children(self, states: Sequence[State]) -> set[str]:
        """Return the objects that it places in some state."""
        facts = (fact for state in states for fact in state.facts if fact[0] == self.predicate)
        return {fact[self.child] for fact in facts}


class Placing:
    """The facts of a task that place objects."""

    def __init__(self, task: Task, states: Sequence[State]) -> None:
        changing = changing_predicates(task.vocabulary)
        moves = changing - task.vocabulary.derived
        self._rules: list[_Rule] = []
        moving = (rule for rule in _rules(task) if rule.predicate in moves)
        for rule in sorted(moving, key=lambda rule: -len(rule.children(states))):
            self._choose(rule, states)
        movers = {child for rule in self._rules for child in rule.children(states)}
        fixed = (rule for rule in _fixed(task, states) if rule.predicate not in changing)
        # A camera is on its satellite: what moves comes first as a place.
        for rule in sorted(fixed, key=lambda rule: not _parents(rule, states[0]) <= movers):
            if movers.isdisjoint(rule.children(states)):
                self._choose(rule, states)
        self.predicates = frozenset(rule.predicate for rule in self._rules)
        """The predicates whose facts the places show."""

    def _choose(self, rule: _Rule, states: Sequence[State]) -> None:
        """Add a rule if every object still has at most one place in every state."""
        if any(rule.predicate == other.predicate for other in self._rules):
            return
        rules = [*self._rules, rule]
        for state in states:
            children = [child for each in rules for child, _ in each.pairs(state)]
            if len(set(children)) < len(children):
                return
        if rule.children(states):
            self._rules = rules

    def of(self, state: State) -> dict[str, str]:
        """Return the places in a state, without circles."""
        places: dict[str, str] = {}
        for rule in self._rules:
            for child, parent in rule.pairs(state):
                if child not in _way(places, parent):
                    places[child] = parent
        return places


def _rules(task: Task) -> Iterator[_Rule]:
    """Yield the rules that each predicate may be; the place is the first other object."""
    for name, signature in task.vocabulary.predicates.items():
        if len(signature) > 1:
            for child in range(1, len(signature) + 1):
                yield _Rule(name, child, 2 if child == 1 else 1)


def _fixed(task: Task, states: Sequence[State]) -> Iterator[_Rule]:
    """Yield the predicates whose facts give each object one place of another kind at first."""
    for name, signature in task.vocabulary.predicates.items():
        is_typed = signature != (_PLAIN, _PLAIN)
        if len(signature) == 2 and not (is_typed and signature[0] == signature[1]):
            rule = _Rule(name, 1, 2)
            children, parents = rule.children(states), _parents(rule, states[0])
            is_nesting = len(parents) < len(children) or len(children) == 1
            if is_nesting and parents.isdisjoint(children):
                yield rule


def _parents(rule: _Rule, state: State) -> set[str]:
    return {parent for _, parent in rule.pairs(state)}


def _way(places: Places, start: str) -> Iterator[str]:
    """Yield an object, then the one that it is in, and so on."""
    at: str | None = start
    while at is not None:
        yield at
        at = places.get(at)
