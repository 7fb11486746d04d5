"""Expansion of a node with scored actions: its successors within the budget, and their scores."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.papers.rewards.reward import (
    Option,
    RewardSettings,
    Score,
    Scorer,
    Situation,
    scorer,
)
from pddl_pipeline.search.baseline import SearchEffort, SearchInput, SearchResult
from pddl_pipeline.search.best_first import Node
from pddl_pipeline.search.world import World, world_of
from pddl_pipeline.translators.domains.budget_blocksworld import NODE_LIMIT


@dataclass(frozen=True)
class TreeSettings(RewardSettings):
    """The limits of a tree search, and the source of its confidence."""

    nodes: int = field(default=NODE_LIMIT, metadata={"help": "maximum number of expanded nodes"})
    depth: int = field(default=32, metadata={"help": "maximum number of steps of a plan"})

    def __post_init__(self) -> None:
        RewardSettings.__post_init__(self)
        if min(self.nodes, self.depth) < 1:
            raise InputError("nodes and depth: expected 1 or more")


class Scored(NamedTuple):
    """A successor with its score."""

    node: Node
    score: Score


def ask(
    world: World[Any], reward: Scorer, node: Node, found: Sequence[tuple[Step, Any]]
) -> list[Score]:
    """Return the scores of a node's successors; there must be at least one."""
    options = [Option(step, world.goals_met(state), world.goals) for step, state in found]
    situation = Situation(lambda: world.fact_texts(node.state), node.steps, node.spent)
    return reward.scores(situation, options)


class Expander:
    """Expands nodes for ToT and RAP as CATS describes them (section 5).

    Actions that exceed the budget are omitted, and so are actions that lead back to a state on the
    path to the node: neither paper says how it avoids cycles.
    """

    def __init__(self, given: SearchInput, settings: TreeSettings, effort: SearchEffort) -> None:
        self.world = world_of(given.task)
        self._reward = scorer(settings, given)
        self._budget = given.budget
        self._settings = settings
        self._effort = effort

    @property
    def is_spent(self) -> bool:
        """Whether the limit on expanded nodes is reached."""
        return self._effort.expanded >= self._settings.nodes

    def expand(self, node: Node) -> list[Scored]:
        """Return the allowed successors in order; an empty list at the depth limit."""
        self._effort.expanded += 1
        if node.depth >= self._settings.depth:
            return []
        found = self.world.successors(node.state)
        self._effort.generated += len(found)
        before = set(_states(node))
        children = [
            child
            for step, state in found
            if state not in before and self._affords(child := self._child(node, step, state))
        ]
        if not children:
            return []
        self._effort.predictions += 1
        scores = ask(
            self.world, self._reward, node, [(_step(each), each.state) for each in children]
        )
        return [Scored(*pair) for pair in zip(children, scores, strict=True)]

    def goal(self, found: Sequence[Scored]) -> Node | None:
        """Return the first of these nodes that satisfies the goal, or None."""
        return next((each.node for each in found if self.world.is_goal(each.node.state)), None)

    def _child(self, node: Node, step: Step, state: Any) -> Node:
        spent = node.spent + self.world.cost(step, node.state)
        return Node(state, node, step, node.depth + 1, spent)

    def _affords(self, node: Node) -> bool:
        return self._budget is None or node.spent <= self._budget


def tree_search(
    given: SearchInput,
    settings: TreeSettings,
    effort: SearchEffort,
    search: Callable[[Expander, Node], Node | None],
) -> SearchResult:
    """Call `search` on the root; it returns a goal node or None. Return the result."""
    expander = Expander(given, settings, effort)
    root = Node(expander.world.start)
    goal = root if expander.world.is_goal(root.state) else search(expander, root)
    if goal is not None:
        return SearchResult(Plan(goal.steps()))
    over = f"no plan after {settings.nodes} expansions"
    return SearchResult(None, over if expander.is_spent else "no node is left to expand")


def _states(node: Node | None) -> Iterator[Hashable]:
    while node is not None:
        yield node.state
        node = node.parent


def _step(node: Node) -> Step:
    assert node.step is not None  # noqa: S101
    return node.step
