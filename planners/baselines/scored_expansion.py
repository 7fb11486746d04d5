"""What one expansion gives where actions are scored: the ways that go on, within the budget."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plan import Step
from pddl_pipeline.planners.baselines.rewards.reward import (
    Option,
    RewardSettings,
    Score,
    Scorer,
    Situation,
    scorer,
)
from pddl_pipeline.search.baseline import SearchEffort, SearchInput
from pddl_pipeline.search.best_first import Node
from pddl_pipeline.search.world import World, world_of


@dataclass(frozen=True)
class TreeSettings(RewardSettings):
    """How far a tree search goes, and where its confidence is from."""

    nodes: int = field(default=500, metadata={"help": "how many nodes may be expanded"})
    depth: int = field(default=32, metadata={"help": "how many steps a plan may have"})

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
    """Return the scores of a node's successors, of which there is at least one."""
    options = [Option(step, world.goals_met(state), world.goals) for step, state in found]
    situation = Situation(lambda: world.told(node.state), node.steps, node.spent)
    return reward.scores(situation, options)


class Expander:
    """Expands nodes for ToT and RAP, as CATS has them (section 5).

    Actions that exceed the budget are left out, and so are those that lead back to a state of the
    same way: neither paper says how it keeps from going in circles.
    """

    def __init__(self, given: SearchInput, settings: TreeSettings, effort: SearchEffort) -> None:
        self.world = world_of(given.task)
        self._reward = scorer(settings, given)
        self._budget = given.budget
        self._settings = settings
        self._effort = effort

    @property
    def is_spent(self) -> bool:
        """Whether no node may be expanded any more."""
        return self._effort.expanded >= self._settings.nodes

    def expand(self, node: Node) -> list[Scored]:
        """Return the successors that may be gone to, in their order; none at the depth limit."""
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

    def _child(self, node: Node, step: Step, state: Any) -> Node:
        spent = node.spent + self.world.cost(step, node.state)
        return Node(state, node, step, node.depth + 1, spent)

    def _affords(self, node: Node) -> bool:
        return self._budget is None or node.spent <= self._budget


def _states(node: Node | None) -> Iterator[Hashable]:
    while node is not None:
        yield node.state
        node = node.parent


def _step(node: Node) -> Step:
    assert node.step is not None  # noqa: S101
    return node.step
