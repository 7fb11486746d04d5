"""Merging of nodes in a tree of CATS, and nodes that the budget excludes."""

from __future__ import annotations

from pddl_pipeline.model.plan import Step
from pddl_pipeline.papers.cats.search import Child, Tree, TreeNode


def child(name: str, cost: int) -> Child:
    return Child(Step(f"to-{name}"), name, cost)


def path(node: TreeNode) -> list[str]:
    return [step.action for step in node.path()]


def sure(children: object) -> list[float]:
    return [-0.5] * len(list(children))  # type: ignore[call-overload]


def test_the_cheaper_of_two_ways_to_a_state_is_kept_with_what_is_below() -> None:
    tree = Tree("start", None)
    tree.expand(tree.root, [child("a", 1), child("b", 10)], sure)
    a, b = tree.nodes["a"], tree.nodes["b"]
    tree.expand(b, [child("c", 1)], sure)
    growth = tree.expand(a, [child("b", 2)], sure)
    c = tree.nodes["c"]
    assert growth.new == []
    assert growth.cheaper == [b, c]
    assert (b.cost, c.cost) == (3, 4)
    assert path(c) == ["to-c", "to-b", "to-a"]
    assert b not in tree.root.children


def test_ways_that_are_no_cheaper_are_left_out_and_nobody_is_asked() -> None:
    tree = Tree("start", None)
    tree.expand(tree.root, [child("a", 1), child("b", 1)], sure)
    a = tree.nodes["a"]

    def asked(_: object) -> list[float]:
        raise AssertionError

    assert tree.expand(a, [child("b", 0), child("start", 0)], asked) == ([], [], [])
    assert not a.is_leaf
    assert path(tree.nodes["b"]) == ["to-b"]


def test_two_ways_to_one_state_in_one_expansion() -> None:
    tree = Tree("start", None)
    growth = tree.expand(tree.root, [child("a", 5), child("a", 3), child("a", 4)], sure)
    assert [node.state for node in growth.new] == ["a"]
    assert tree.nodes["a"].cost == 3
    assert tree.root.children == growth.new


def test_what_exceeds_the_budget_is_left_out_until_a_cheaper_way_affords_it() -> None:
    tree = Tree("start", 10)
    tree.expand(tree.root, [child("a", 1), child("b", 8), child("far", 11)], sure)
    assert set(tree.nodes) == {"start", "a", "b"}
    assert tree.was_cut
    a, b = tree.nodes["a"], tree.nodes["b"]
    tree.expand(b, [child("c", 1), child("d", 3)], sure)
    assert set(tree.nodes) == {"start", "a", "b", "c"}
    assert not b.is_leaf
    assert tree.expand(a, [child("b", 1)], sure).reopened == [b]
    assert b.is_leaf
    tree.expand(b, [child("c", 1), child("d", 3)], sure)
    assert tree.nodes["d"].cost == 5


def test_exactly_the_budget_may_be_spent() -> None:
    tree = Tree("start", 10)
    tree.expand(tree.root, [child("a", 10)], sure)
    assert "a" in tree.nodes
    assert not tree.was_cut


def test_what_is_below_a_cheaper_way_affords_more_too() -> None:
    tree = Tree("start", 10)
    tree.expand(tree.root, [child("a", 1), child("b", 6)], sure)
    a, b = tree.nodes["a"], tree.nodes["b"]
    tree.expand(b, [child("c", 3)], sure)
    c = tree.nodes["c"]
    tree.expand(c, [child("d", 2)], sure)
    assert c.was_cut
    assert tree.expand(a, [child("b", 1)], sure).reopened == [c]
    assert c.is_leaf
    assert not b.is_leaf
