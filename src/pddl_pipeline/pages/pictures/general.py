"""The general picture, for domains without a specific one: boxes in boxes, and a list of facts.

An object stands inside the object where it is, or on the one that it is on. Its unary facts and
values are badges on it. All other facts that change are listed below the boxes.

`(at ?package ?place)` and `(in ?package ?truck)` place packages. Such facts are found in the states
that are drawn: a predicate places the objects at one of its positions if none of them has two
places in any state, its facts and those of the predicates chosen before taken together.
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final

from pddl_pipeline.pages.pictures.boxes import BoxScene, NotDrawn
from pddl_pipeline.pages.pictures.picture import Picture, Scene
from pddl_pipeline.pages.pictures.profile import Profile, Rule
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates

_Pairs = list[tuple[str, str]]
"""Each placed object of a state with its place."""


def placing_rules(task: Task, states: Sequence[State]) -> list[Rule]:
    """Return the rules by which every object has at most one place in every state."""
    moves = changing_predicates(task.vocabulary) & task.vocabulary.predicates.keys()
    found: list[tuple[Rule, list[_Pairs], int]] = []
    best: dict[str, int] = {}
    for name in sorted(moves - task.vocabulary.derived):
        arity = len(task.vocabulary.predicates[name])
        for child in range(1, arity + 1 if arity > 1 else 1):
            rule = Rule(name, f"{{{child}}}", "{2}" if child == 1 else "{1}")
            pairs = [_pairs(rule, state) for state in states]
            number = len({placed for each in pairs for placed, _ in each})
            best[name] = max(number, best.get(name, 0))
            found.append((rule, pairs, number))
    # A rover is always at a waypoint; it is not the waypoint that is in a rover at times.
    found.sort(
        key=lambda each: (-best[each[0].predicate], len(min(each[1], key=len)) < each[2], -each[2])
    )
    chosen: dict[str, Rule] = {}
    placed: list[_Pairs] = [[] for _ in states]
    for rule, pairs, number in found:
        together = [[*one, *other] for one, other in zip(placed, pairs, strict=True)]
        is_unique = all(len(dict(each)) == len(each) for each in together)
        if number and is_unique and rule.predicate not in chosen:
            chosen[rule.predicate] = rule._replace(on=_is_circular(pairs))
            placed = together
    return list(chosen.values())


def _pairs(rule: Rule, state: State) -> _Pairs:
    facts = (fact for fact in state.facts if fact[0] == rule.predicate)
    return [(rule.child.format(*fact), rule.parent.format(*fact)) for fact in facts]


def _is_circular(pairs: Sequence[_Pairs]) -> bool:
    """Return whether things are in each other at different times, as blocks on each other are."""
    inside: dict[str, set[str]] = {}
    for child, parent in (pair for each in pairs for pair in each):
        inside.setdefault(parent, set()).add(child)
    try:
        TopologicalSorter(inside).prepare()
    except CycleError:
        return True
    return False


def _scene(task: Task, states: Sequence[State]) -> Scene | None:
    unary = {name for name, types in task.vocabulary.predicates.items() if len(types) == 1}
    badges = {name: name for name in sorted(changing_predicates(task.vocabulary) & unary)}
    profile = Profile({}, placing_rules(task, states), {"object": "box"}, badges=badges)
    while True:
        try:
            return BoxScene(task, states, profile, shows_all=True).draw
        except NotDrawn:  # the rules together put things into each other
            profile = profile._replace(rules=profile.rules[:-1])


GENERAL: Final = Picture(
    "general",
    "Boxes are objects. A box inside another one is in, at or on it; badges are facts about it.",
    _scene,
)
