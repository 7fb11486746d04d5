"""CATS: bidirectional search guided by confidence and distance, within a budget (Zhang and Liu)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.planners.baselines.cats_distance import BACKWARD, FORWARD, LeafDistances
from pddl_pipeline.planners.baselines.cats_tree import Child, Tree, TreeNode
from pddl_pipeline.planners.baselines.rewards.reward import (
    Option,
    RewardSettings,
    Scorer,
    Situation,
    scorer,
)
from pddl_pipeline.search.baseline import (
    Baseline,
    SearchEffort,
    SearchInput,
    SearchResult,
    UnsupportedTask,
)
from pddl_pipeline.search.regression import Partial, Regression
from pddl_pipeline.search.strips_world import StripsWorld
from pddl_pipeline.search.world import world_of
from pddl_pipeline.translators.domains.budget_blocksworld import NODE_LIMIT


@dataclass(frozen=True)
class CatsSettings(RewardSettings):
    """The weight of the two rewards, the limit of the search, and the source of confidence."""

    omega: float = field(
        default=0.5,
        metadata={
            "help": "weight of confidence; that of distance is 1 - omega",
            "idle": {"reward": ("none",)},
        },
    )
    nodes: int = field(
        default=NODE_LIMIT,
        metadata={"help": "maximum number of expanded nodes of both trees together"},
    )

    def __post_init__(self) -> None:
        RewardSettings.__post_init__(self)
        if not 0 <= self.omega <= 1:
            raise InputError(f"omega={self.omega:g}: expected 0 to 1")
        if self.nodes < 1:
            raise InputError(f"nodes={self.nodes}: expected 1 or more")


def _search(given: SearchInput, settings: CatsSettings, effort: SearchEffort) -> SearchResult:
    world = world_of(given.task)
    if not isinstance(world, StripsWorld):
        raise UnsupportedTask(
            "backward search requires a goal of atoms, and actions without numbers, quantifiers,"
            " conditional effects and axioms"
        )
    if any(each.cost < 0 for each in world.operators):
        raise UnsupportedTask("a step has a negative cost")
    if not world.can_end:
        return SearchResult(None, "a part of the goal can never hold", proof=True)
    return _Cats(world, given, settings, effort).run()


class _Cats:
    """The two trees, and how they grow.

    Algorithm 1: each iteration expands the best leaf of the forward tree, then the best leaf of the
    backward tree, until the trees meet. The following points are open in the paper or differ from
    it:

    * Goals are a few ``on`` facts, so the backward tree contains partial states, by regression,
      without those that can never be reached (h^2). The trees meet if a state of the forward tree
      satisfies a partial state, not only if two states are equal (line 17). Completing the goal to
      full states would be closer to the paper's wording, but there are many ways to complete it,
      and the plans to one of them may all be too expensive.
    * Equation 2 prints J as the similarity but calls it the distance. A distance is meant, since
      the reward is 1 - min J and must draw the trees together. See `LeafDistances`.
    * Equation 3 multiplies confidence, which is a negative logarithm, by 0 for visited leaves,
      which would make them the best ones. Here, they are no longer candidates.
    * Both rewards are normalised (section 4.1): among the leaves of the tree, the worst has 0 and
      the best has 1; if all are equal, they have 0.
    * The limit applies to the expansions of both trees together, including those of leaves without
      cheaper successors.
    """

    def __init__(
        self, world: StripsWorld, given: SearchInput, settings: CatsSettings, effort: SearchEffort
    ) -> None:
        self._world, self._settings, self._effort = world, settings, effort
        self._omega = 0.0 if settings.reward == "none" else settings.omega
        self._scorer: Scorer = scorer(settings, given)
        self._budget = given.budget
        self._regression = Regression(world)
        roots = (world.start, self._regression.start)
        self._trees = (Tree(roots[FORWARD], given.budget), Tree(roots[BACKWARD], given.budget))
        self._distances = LeafDistances(self._regression, world.every.bit_length())
        self._distances.add_states([roots[FORWARD]])
        self._distances.add_partials([roots[BACKWARD]])

    def run(self) -> SearchResult:
        """Expand the trees in turns until they meet; return the result."""
        plan = self._meeting([tree.root for tree in self._trees])
        while plan is None and self._effort.expanded < self._settings.nodes:
            touched, without_leaf = list[TreeNode](), None
            for way in (FORWARD, BACKWARD):
                leaf = self._best_leaf(way)
                if leaf is None:
                    without_leaf = way
                elif self._effort.expanded < self._settings.nodes:
                    touched += self._expand(way, leaf)
            plan = self._meeting(touched)
            if plan is None and without_leaf is not None:
                return self._exhausted(without_leaf)
        return SearchResult(plan, f"the trees did not meet in {self._settings.nodes} expansions")

    def _exhausted(self, way: int) -> SearchResult:
        """Return why there is no plan if a tree is complete: it would contain one."""
        if self._trees[way].was_cut:
            return SearchResult(None, f"no plan within the budget of {self._budget}")
        return SearchResult.exhausted()

    def _best_leaf(self, way: int) -> TreeNode | None:
        """Return the leaf with the largest reward (equation 3), the first one of ties."""
        numbers, nearness = self._distances.leaves(way)
        if not len(numbers):
            return None
        nodes = self._trees[way].by_number
        confidence = np.array([nodes[number].confidence for number in numbers])
        omega = self._omega
        reward = omega * _normalised(confidence) + (1 - omega) * _normalised(nearness)
        return nodes[int(numbers[reward.argmax()])]

    def _expand(self, way: int, leaf: TreeNode) -> list[TreeNode]:
        """Expand a leaf; return the new and the cheaper nodes."""
        self._distances.close(way, leaf.number)
        children = self._children(way, leaf.state)
        self._effort.expanded += 1
        self._effort.generated += len(children)
        growth = self._trees[way].expand(leaf, children, partial(self._confidence, way, leaf))
        states = [node.state for node in growth.new]
        if way == FORWARD:
            self._distances.add_states(states)
        else:
            self._distances.add_partials(states)
        for node in growth.reopened:
            self._distances.reopen(way, node.number)
        return [*growth.new, *growth.cheaper]

    def _children(self, way: int, state: Any) -> list[Child]:
        if way == BACKWARD:
            found = self._regression.predecessors(state)
            return [Child(each.step, before, each.cost) for each, before in found]
        return [
            Child(each.step, state & each.kept | each.added, each.cost)
            for each in self._world.applicable(state)
        ]

    def _confidence(self, way: int, leaf: TreeNode, children: Sequence[Child]) -> list[float]:
        if self._omega == 0:
            return [0.0] * len(children)
        self._effort.predictions += 1
        situation = Situation(
            partial(self._state_texts, leaf.state),
            partial(_steps, way, leaf),
            leaf.cost,
            way == BACKWARD,
        )
        options = [self._option(way, child) for child in children]
        return [score.confidence for score in self._scorer.scores(situation, options)]

    def _option(self, way: int, child: Child) -> Option:
        if way == FORWARD:
            return Option(child.step, self._world.goals_met(child.state), self._world.goals)
        needed, unwanted = child.state
        start = self._world.start
        met = (needed & start).bit_count() + (unwanted & ~start).bit_count()
        return Option(child.step, met, needed.bit_count() + unwanted.bit_count())

    def _state_texts(self, state: int | Partial) -> tuple[str, ...]:
        if isinstance(state, int):
            return self._world.fact_texts(state)
        unwanted = (f"(not {atom})" for atom in self._world.fact_texts(state.unwanted))
        return (*self._world.fact_texts(state.needed), *unwanted)

    def _meeting(self, touched: Iterable[TreeNode]) -> Plan | None:
        """Return the cheapest plan within the budget through one of the nodes, None without one."""
        best: tuple[Number, TreeNode, TreeNode] | None = None
        for forward, backward in self._pairs(touched):
            cost = forward.cost + backward.cost
            affordable = self._budget is None or cost <= self._budget
            if affordable and (best is None or cost < best[0]):
                best = cost, forward, backward
        return best and Plan((*_steps(FORWARD, best[1]), *_steps(BACKWARD, best[2])))

    def _pairs(self, touched: Iterable[TreeNode]) -> Iterator[tuple[TreeNode, TreeNode]]:
        """Yield the pairs of nodes at which the trees meet, with at least one of these nodes."""
        forward, backward = self._trees
        for node in touched:
            if isinstance(node.state, Partial):
                for other in forward.by_number:
                    if node.state.holds(other.state):
                        yield other, node
            else:
                for other in backward.by_number:
                    if other.state.holds(node.state):
                        yield node, other


def _steps(way: int, node: TreeNode) -> tuple[Step, ...]:
    """Return the steps to a node; in the backward tree, the steps from the node to the goal."""
    path = list(node.path())
    return tuple(path if way == BACKWARD else reversed(path))


def _normalised(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Map the smallest value to 0 and the largest to 1; map all to 0 if they are equal."""
    low, high = values.min(), values.max()
    scaled: npt.NDArray[np.float64] = (values - low) / (high - low or 1.0)
    return scaled


BASELINES: Final = (
    Baseline(
        name="cats",
        about="CATS: bidirectional search by confidence and distance, within the budget",
        settings=CatsSettings,
        search=_search,
        features=frozenset({"costs"}),
    ),
)
