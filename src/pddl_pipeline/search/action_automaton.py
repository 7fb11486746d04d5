"""Sequences of action types: their number in a task's cheapest plans, and in two sets in common.

A graph of plans whose steps have labels, such as their types of action, describes a set of label
sequences. Many plans have the same sequence. The sets are compared exactly and without listing
them: each is converted to a deterministic automaton (Rabin and Scott 1959), and two automata are
traversed in parallel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

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
