"""The incrementally updated distance reward of CATS, against its definition."""

from __future__ import annotations

from typing import Any

import pytest
from baseline_runs import blocks, closure
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.papers.cats.search import BACKWARD, FORWARD, LeafDistances
from pddl_pipeline.search.regression import Mutexes, Regression
from pddl_pipeline.search.world import Partial, StripsWorld, world_of
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import task_of


def small() -> StripsWorld:
    problem = blocks([["a", "b"], ["c"]], [["on", "a", "c"], ["on", "c", "b"]])
    world = world_of(task_of(problem))
    assert isinstance(world, StripsWorld)
    return world


WORLD = small()
REGRESSION = Regression(WORLD, Mutexes(WORLD))


STATES = closure(WORLD.start, lambda state: [after for _, after in WORLD.successors(state)])
PARTIALS = closure(REGRESSION.start, lambda part: [p for _, p in REGRESSION.predecessors(part)])


def similarity(state: int, partial: Partial) -> float:
    """Return the Jaccard distance over the atoms that the partial state determines."""
    holds, needed = set(WORLD.atoms(state)), set(WORLD.atoms(partial.needed))
    ruled_out = {atom for atom in holds if any(excludes(atom, other) for other in needed)}
    return len(holds & needed) / len(needed | ruled_out)


def excludes(one: Ground, other: Ground) -> bool:
    """Return whether two atoms are never true together in any state."""
    return not any({one, other} <= WORLD.atoms(state) for state in STATES)


def expected(leaves: list[Any], others: list[Any], way: int) -> list[float]:
    if not others:
        return [0.0] * len(leaves)
    pairs = [
        [(one, other) if way == FORWARD else (other, one) for other in others] for one in leaves
    ]
    return [max(similarity(*pair) for pair in row) for row in pairs]


@given(data=st.data())
def test_rewards_stay_what_they_are_by_definition(data: st.DataObject) -> None:
    fronts = LeafDistances(REGRESSION, WORLD.every.bit_length())
    nodes: tuple[list[Any], list[Any]] = ([], [])
    open_: tuple[set[int], set[int]] = (set(), set())
    for _ in range(data.draw(st.integers(1, 12))):
        way = data.draw(st.sampled_from([FORWARD, BACKWARD]))
        shut = sorted(set(range(len(nodes[way]))) - open_[way])
        doing = data.draw(st.sampled_from(["add", "add", "close", "reopen"]))
        if doing == "add":
            new = data.draw(st.lists(st.sampled_from((STATES, PARTIALS)[way]), max_size=3))
            (fronts.add_states, fronts.add_partials)[way](new)
            open_[way].update(range(len(nodes[way]), len(nodes[way]) + len(new)))
            nodes[way].extend(new)
        elif doing == "close" and open_[way]:
            number = data.draw(st.sampled_from(sorted(open_[way])))
            fronts.close(way, number)
            open_[way].remove(number)
        elif doing == "reopen" and shut:
            number = data.draw(st.sampled_from(shut))
            fronts.reopen(way, number)
            open_[way].add(number)
        for each in (FORWARD, BACKWARD):
            numbers, rewards = fronts.leaves(each)
            assert list(numbers) == sorted(open_[each])
            leaves = [nodes[each][number] for number in numbers]
            others = [nodes[1 - each][number] for number in sorted(open_[1 - each])]
            assert rewards == pytest.approx(expected(leaves, others, each))


def test_similarity_is_1_exactly_where_the_trees_meet() -> None:
    for state in STATES:
        for partial in PARTIALS:
            assert (similarity(state, partial) == 1) == partial.holds(state)
