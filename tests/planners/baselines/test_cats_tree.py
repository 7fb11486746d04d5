"""Merging of nodes in a tree of CATS, and nodes that the budget excludes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pddl_pipeline.model.plan import Step
from pddl_pipeline.papers.cats.search import Child, Growth, Tree, TreeNode

Edge = tuple[str, str, int]


def expand(tree: Tree, node: TreeNode, edges: list[Edge], budget: int) -> Growth:
    """Expand a leaf, and compare the changes with their definitions."""
    asked = list[Sequence[Child]]()

    def confidence(children: Sequence[Child]) -> list[float]:
        asked.append(children)
        return [-0.5] * len(children)

    before = {state: (each.cost, each.was_cut) for state, each in tree.nodes.items()}
    steps = [(Step(str(number)), *edge) for number, edge in enumerate(edges)]
    children = [Child(step, end, cost) for step, start, end, cost in steps if start == node.state]
    growth = tree.expand(node, children, confidence)
    costs = [(each.state, node.cost + each.cost) for each in children]
    allowed = [each for each in costs if each[1] <= budget]
    assert node.was_cut == (len(allowed) < len(costs))
    is_better = [state not in before or cost < before[state][0] for state, cost in allowed]
    assert bool(asked) == any(is_better)
    assert all(tree.nodes[state].cost <= cost for state, cost in allowed)
    assert {each.state for each in growth.new} == tree.nodes.keys() - before.keys()
    cheaper = {state for state in before if tree.nodes[state].cost < before[state][0]}
    assert {each.state for each in growth.cheaper} == cheaper
    assert {each.state for each in growth.reopened} == {s for s in cheaper if before[s][1]}
    return growth


def test_a_tree_keeps_the_cheapest_way_that_it_knows_to_each_state() -> None:
    reopened = 0
    for seed in range(600):
        rng = Random(seed)
        edges = [(rng.choice("sabcd"), rng.choice("abcde"), rng.randrange(7)) for _ in range(15)]
        budget = rng.choice([8, 12, 99])
        tree = Tree("s", budget)
        leaves = [*tree.nodes.values()]
        while leaves:
            growth = expand(tree, leaves.pop(rng.randrange(len(leaves))), edges, budget)
            leaves += [*growth.new, *growth.reopened]
            reopened += len(growth.reopened)
            for state, each in tree.nodes.items():
                way = [edges[int(step.action)] for step in each.path()]
                assert each.cost == sum(cost for *_, cost in way) <= budget
                assert [state, *(start for start, *_ in way)] == [*(end for _, end, _ in way), "s"]
                assert each.parent is None or each in each.parent.children
            assert sum(len(each.children) for each in tree.nodes.values()) == len(tree.nodes) - 1
    assert reopened > 20
