"""One of the two trees of CATS (Algorithm 1, section 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step


@dataclass(slots=True, eq=False)
class TreeNode:
    """A state, or in the backward tree a partial state, with the cheapest known path to it."""

    number: int
    state: Any
    parent: TreeNode | None = None
    step: Step | None = None
    cost: Number = 0
    confidence: float = 0.0
    """Confidence in the action that leads here."""
    children: list[TreeNode] = field(default_factory=list)
    is_leaf: bool = True
    was_cut: bool = False
    """Whether it was expanded and the budget excluded some of its children."""

    def path(self) -> Iterator[Step]:
        """Yield the steps from here back to the root."""
        node: TreeNode | None = self
        while node is not None and node.step is not None:
            yield node.step
            node = node.parent


class Child(NamedTuple):
    """A successor from an expansion."""

    step: Step
    state: Any
    cost: Number
    """Cost of the step."""


class Growth(NamedTuple):
    """The changes that an expansion made to a tree."""

    new: list[TreeNode]
    cheaper: list[TreeNode]
    """Nodes to which a cheaper path was found, including their descendants."""
    reopened: list[TreeNode]
    """The cheaper nodes that are leaves again, since the budget now allows more of their
    children."""


class Tree:
    """A tree of nodes in which each state occurs once."""

    def __init__(self, root: Hashable, budget: Number | None) -> None:
        self.nodes: dict[Any, TreeNode] = {root: TreeNode(0, root)}
        self._budget = budget
        self.root = self.nodes[root]
        self.by_number = [self.root]
        """The nodes in the order of their creation."""

    @property
    def was_cut(self) -> bool:
        """Whether the budget excludes any node."""
        return any(node.was_cut for node in self.nodes.values())

    def expand(
        self,
        node: TreeNode,
        children: Sequence[Child],
        confidence: Callable[[Sequence[Child]], Sequence[float]],
    ) -> Growth:
        """Expand a leaf with the children that the budget allows; return the changes.

        Of two nodes with the same state, the cheaper one is kept, with its descendants. If no child
        is new or cheaper than its node in the tree, `confidence` is not called, and the leaf only
        becomes an inner node.
        """
        node.is_leaf = False
        allowed = [each for each in children if self._affords(node.cost + each.cost)]
        node.was_cut = len(allowed) < len(children)
        growth = Growth([], [], [])
        if not any(self._is_cheaper(node, each) for each in allowed):
            return growth
        for each, value in zip(allowed, confidence(allowed), strict=True):
            if self._is_cheaper(node, each):
                self._keep(node, each, value, growth)
        return growth

    def _affords(self, cost: Number) -> bool:
        return self._budget is None or cost <= self._budget

    def _is_cheaper(self, node: TreeNode, child: Child) -> bool:
        known = self.nodes.get(child.state)
        return known is None or node.cost + child.cost < known.cost

    def _keep(self, node: TreeNode, child: Child, value: float, growth: Growth) -> None:
        known = self.nodes.get(child.state)
        if known is None:
            known = TreeNode(len(self.nodes), child.state)
            self.nodes[child.state] = known
            self.by_number.append(known)
            growth.new.append(known)
        elif known.parent is not None:
            known.parent.children.remove(known)
        saved = known.cost - node.cost - child.cost
        known.parent, known.step, known.confidence = node, child.step, value
        node.children.append(known)
        known.cost -= saved
        if known in growth.new:
            return
        growth.cheaper.append(known)
        self._reopen(known, growth)
        for below in _below(known):
            below.cost -= saved
            growth.cheaper.append(below)
            self._reopen(below, growth)

    def _reopen(self, node: TreeNode, growth: Growth) -> None:
        if node.was_cut:
            node.was_cut, node.is_leaf = False, True
            growth.reopened.append(node)


def _below(node: TreeNode) -> Iterator[TreeNode]:
    queue = list(node.children)
    for each in queue:  # which grows
        queue += each.children
        yield each
