"""Sequences of action types in a task's cheapest plans: their sets, and the one a search keeps.

A graph of plans whose steps have labels, such as their types of action, describes a set of label
sequences. Many plans have the same sequence. The sets are compared exactly and without listing
them: each is converted to a deterministic automaton (Rabin and Scott 1959), and two automata are
traversed in parallel.

Uniform-cost search (Dijkstra 1959) takes the cheapest state from its queue and keeps one path to
each state. Ties are broken by the order of the queue, by the treatment of paths with equal cost,
and by the order of a state's actions. States and paths outside the cheapest plans do not influence
which plan is kept, so the search runs only on the graph of the cheapest plans.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from typing import Any

from pddl_pipeline.search.blocks_states import CheapestPlans, Move

Label = Hashable
Ways = Mapping[int, Sequence[tuple[Label, int]]]
"""By state: the labels and the target states of the next steps. The graph is acyclic."""


def by_type(move: Move) -> Label:
    """Return the type of action: pick up, unstack, put down or stack."""
    return move.action


def by_action(move: Move) -> Label:
    """Return the action with its blocks, so that each plan has a different sequence."""
    return move.action, move.block, move.under


@dataclass(frozen=True, slots=True)
class ActionAutomaton:
    """The label sequences of the paths from a start to the ends."""

    start: int
    ways: Ways
    arrows: list[dict[Label, int]]
    """By node of the automaton: the next node for each label. The first node is the start."""
    ends: list[bool]
    """By node: whether a sequence may end there."""


def spelling(plans: CheapestPlans, label: Callable[[Move], Label] = by_type) -> ActionAutomaton:
    """Return the label sequences of all cheapest plans."""
    ways = {
        state: [(label(move), move.target) for move in moves]
        for state, moves in plans.moves.items()
    }
    first = frozenset([plans.start])
    nodes, numbers, arrows = [first], {first: 0}, []
    for node in nodes:  # which grows
        targets = defaultdict[Label, set[int]](set)
        for state in node:
            for each, target in ways[state]:
                targets[each].add(target)
        leads = {each: frozenset(states) for each, states in targets.items()}
        for states in leads.values():
            if states not in numbers:
                numbers[states] = len(nodes)
                nodes.append(states)
        arrows.append({each: numbers[states] for each, states in leads.items()})
    ends = [any(not ways[state] for state in node) for node in nodes]
    return ActionAutomaton(plans.start, ways, arrows, ends)


def count(one: ActionAutomaton) -> int:
    """Return how many sequences there are."""
    return count_common(one, one)


def count_common(one: ActionAutomaton, other: ActionAutomaton) -> int:
    """Return how many sequences are in both sets."""

    @cache
    def from_nodes(a: int, b: int) -> int:
        both = one.arrows[a].keys() & other.arrows[b].keys()
        further = (from_nodes(one.arrows[a][each], other.arrows[b][each]) for each in both)
        return sum(further, start=int(one.ends[a] and other.ends[b]))

    return from_nodes(0, 0)


def chance_of_equal_walks(one: ActionAutomaton, other: ActionAutomaton) -> Fraction:
    """Return the probability that two random plans have the same sequence.

    Each plan is drawn by choosing the next step uniformly in every state.
    """

    @cache
    def from_states(a: int, b: int) -> Fraction:
        left, right = one.ways[a], other.ways[b]
        if not left or not right:
            return Fraction(not left and not right)
        total = Fraction(0)
        for label, target in left:
            total += sum(from_states(target, t) for each, t in right if each == label)
        return total / (len(left) * len(right))

    return from_states(one.start, other.start)


@dataclass(frozen=True, slots=True)
class TieRule:
    """The rules that break ties."""

    order: Callable[[Move], Any]
    """Sort key for the actions of a state."""
    newest_first: bool = False
    """Whether the queue returns the newest of the states with equal cost first."""
    keep_last: bool = False
    """Whether a path replaces another path of equal cost to the same queued state."""


def first_path(plans: CheapestPlans, order: Callable[[Move], Any]) -> tuple[int, ...]:
    """Return the action types of the plan that always takes the first cheapest action."""
    state, types = plans.start, []
    while plans.moves[state]:
        move = min(plans.moves[state], key=order)
        types.append(move.action)
        state = move.target
    return tuple(types)


def retained_path(plans: CheapestPlans, costs: Sequence[int], rule: TieRule) -> tuple[int, ...]:
    """Return the action types of the plan that uniform-cost search keeps.

    Args:
        plans: the cheapest plans under the costs.
        costs: the costs of picking up, unstacking, putting down and stacking.
        rule: the rule that breaks ties.
    """
    # By state: the action types of the path that is kept.
    kept = {plans.start: tuple[int, ...]()}
    queue, done, came = [(0, 0, plans.start)], set[int](), 0
    while queue:
        cost, _, state = heappop(queue)
        if not plans.moves[state]:
            return kept[state]
        if state in done:
            continue
        done.add(state)
        for move in sorted(plans.moves[state], key=rule.order):
            # All paths to a state of this graph have the same cost; otherwise, not all of its plans
            # would be cheapest.
            if move.target not in kept or (rule.keep_last and move.target not in done):
                kept[move.target] = (*kept[state], move.action)
                came += 1
                place = -came if rule.newest_first else came
                heappush(queue, (cost + costs[move.action], place, move.target))
    raise AssertionError("a graph of plans has an end")
