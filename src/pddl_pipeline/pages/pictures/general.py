"""The general picture, for domains without a specific one: boxes in boxes, and a list of facts.

An object stands inside the object where it is, or on the one that it is on. Its unary facts and
values are badges on it. All other facts that change are listed below the boxes.

`(at ?package ?place)` and `(in ?package ?truck)` place packages. Such facts are found in the states
that are drawn: a predicate places the objects at one of its positions if none of them has two
places in any state, its facts and those of the predicates chosen before taken together.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final

from msgspec.structs import replace

from pddl_pipeline.pages.pictures.boxes import BoxScene, NotDrawn, kinds_of
from pddl_pipeline.pages.pictures.grid import grid_of, neighbour_facts
from pddl_pipeline.pages.pictures.picture import Picture, Scene
from pddl_pipeline.pages.pictures.profile import Profile, Rule
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates

_VALUE: Final = re.compile("num|level|size|quantit|amount|capacit|colo|bool")
"""Types and unary facts of objects that are values, in English."""
_Pairs = list[tuple[str, str]]
"""Each placed object of a state with its place."""


def placing_rules(
    task: Task, states: Sequence[State], cells: Collection[str], values: Collection[str]
) -> list[Rule]:
    """Return the rules by which every object has at most one place in every state.

    Cells of a map are in nothing; numbers and colours are in nothing and contain nothing.
    """
    fixed = {*cells, *values}
    moves = changing_predicates(task.vocabulary) & task.vocabulary.predicates.keys()
    found: list[tuple[Rule, list[_Pairs], int]] = []
    best: dict[str, int] = {}
    for name in sorted(moves - task.vocabulary.derived):
        arity = len(task.vocabulary.predicates[name])
        for child in range(1, arity + 1 if arity > 1 else 1):
            rule = Rule(name, f"{{{child}}}", "{2}" if child == 1 else "{1}")
            pairs = _all_pairs(rule, states)
            number = len({placed for pair in pairs for placed, _ in pair})
            if not any(one in fixed or other in values for pair in pairs for one, other in pair):
                best[name] = max(number, best.get(name, 0))
                found.append((rule, pairs, number))
    # A rover is always at a waypoint; it is not the waypoint that is in a rover at times.
    found.sort(
        key=lambda each: (-best[each[0].predicate], len(min(each[1], key=len)) < each[2], -each[2])
    )
    chosen: dict[str, Rule] = {}
    placed: list[_Pairs] = [[] for _ in states]
    for rule, pairs, number in found:
        # Taken together, such as `at` and `in` of packages: no thing may have two places at once.
        together = [[*one, *other] for one, other in zip(placed, pairs, strict=True)]
        is_unique = all(len(dict(each)) == len(each) for each in together)
        if number and is_unique and rule.predicate not in chosen:
            chosen[rule.predicate] = replace(rule, on=_is_circular(pairs))
            placed = together
    return list(chosen.values())


def _all_pairs(rule: Rule, states: Sequence[State]) -> list[_Pairs]:
    return [
        [rule.pair(fact) for fact in state.facts if fact[0] == rule.predicate] for state in states
    ]


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
    changing = changing_predicates(task.vocabulary) & task.vocabulary.predicates.keys()
    grid = grid_of(task)
    cells = {name for fact in neighbour_facts(task.facts.facts, grid) for name in fact[1:3]}
    fixed = task.vocabulary.predicates.keys() - changing
    busy = {
        fact[1]
        for state in states
        for fact in (*state.facts, *state.values)
        if len(fact) > 1 and fact[0] not in fixed
    }
    kinds = kinds_of(task, changing)
    values = {name for name in kinds.keys() - busy if any(map(_VALUE.search, kinds[name]))}
    rules = placing_rules(task, states, cells, values)
    arities = {name: len(task.vocabulary.predicates[name]) for name in sorted(changing)}
    badges = {name: name for name, arity in arities.items() if arity == 1}
    placing = {rule.predicate for rule in rules}
    badges |= {
        name: f"{name} {{2}}"
        for name, arity in arities.items()
        if arity == 2
        and name not in placing
        and all(len(dict(pairs)) == len(pairs) for pairs in _all_pairs(Rule(name), states))
    }
    looks = dict.fromkeys(values, "hidden")
    profile = Profile(rules=rules, looks=looks, badges=badges, grid=grid)
    while True:
        try:
            return BoxScene(task, states, profile).draw
        except NotDrawn:  # the rules together put things into each other
            profile = replace(profile, rules=profile.rules[:-1])


GENERAL: Final = Picture(
    "general",
    "Boxes are objects. A box inside another one is in, at or on it; badges are facts about it.",
    _scene,
)
