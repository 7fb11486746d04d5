"""CATS: bidirectional search guided by confidence and distance, within a budget (Zhang and Liu)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.papers.cats.search_distance import BACKWARD, FORWARD, LeafDistances
from pddl_pipeline.papers.cats.search_settings import CatsSettings
from pddl_pipeline.papers.cats.search_tree import Child, Tree, TreeNode
from pddl_pipeline.papers.rewards.reward import Option, Scorer, Situation, scorer
from pddl_pipeline.search.baseline import (
    Baseline,
    SearchEffort,
    SearchInput,
    SearchResult,
    UnsupportedTask,
)
from pddl_pipeline.search.regression import Partial, Regression, StateRegression
from pddl_pipeline.search.world import StripsWorld, world_of


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


class _Meeting(NamedTuple):
    """A node of each tree, and the cost of the plan through them."""

    cost: Number
    forward: TreeNode
    backward: TreeNode


class _Cats:
    """The two trees, and how they grow.

    Algorithm 1: each iteration expands the best leaf of the forward tree, then the best leaf of the
    backward tree, until the trees meet. The following points are open in the paper, or the default
    differs from it:

    * The paper's search ends when the trees first meet (line 18), even if the plan exceeds the
      budget (``meet=first``). By default, it continues until a plan is within the budget.
    * The paper's backward tree starts from one goal state (``goal=complete``), and the trees meet
      if two states are equal (line 17). Goals are a few ``on`` facts, so the default tree contains
      partial states, by regression, without those that can never be reached (h^2,
      ``mutexes=on``), and the trees meet if a state of the forward tree satisfies a partial state.
    * Equation 2 prints J as the similarity (``distance=printed``) but calls it the distance, which
      is the default, since the reward is 1 - min J and is to draw the trees together. See
      `LeafDistances`.
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
        back = StateRegression if settings.goal == "complete" else Regression
        self._regression = back(world, mutexes=settings.mutexes == "on")
        roots = (world.start, self._regression.start)
        self._trees = (Tree(roots[FORWARD], given.budget), Tree(roots[BACKWARD], given.budget))
        self._distances = LeafDistances(
            self._regression, world.every.bit_length(), is_printed=settings.distance == "printed"
        )
        self._distances.add_states([roots[FORWARD]])
        self._distances.add_partials([roots[BACKWARD]])

    def run(self) -> SearchResult:
        """Expand the trees in turns until they meet; return the result."""
        found = self._meeting([tree.root for tree in self._trees])
        while found is None and self._effort.expanded < self._settings.nodes:
            touched, without_leaf = list[TreeNode](), None
            for way in (FORWARD, BACKWARD):
                leaf = self._best_leaf(way)
                if leaf is None:
                    without_leaf = way
                elif self._effort.expanded < self._settings.nodes:
                    touched += self._expand(way, leaf)
            found = self._meeting(touched)
            if found is None and without_leaf is not None:
                return self._exhausted(without_leaf)
        if found is None:
            return SearchResult(
                None, f"the trees did not meet in {self._settings.nodes} expansions"
            )
        return self._extracted(found)

    def _exhausted(self, way: int) -> SearchResult:
        """Return why there is no plan if a tree is complete: it would contain one."""
        if self._trees[way].was_cut:
            return SearchResult(None, f"no plan within the budget of {self._budget}")
        if self._settings.goal == "complete":
            return SearchResult(None, "no plan to the completed goal")
        return SearchResult.exhausted()

    def _extracted(self, found: _Meeting) -> SearchResult:
        """Return the plan through a meeting; none if it exceeds the budget."""
        if not self._affords(found.cost):
            reason = f"the trees met at a cost of {found.cost}, above the budget of {self._budget}"
            return SearchResult(None, reason)
        steps = (*_steps(FORWARD, found.forward), *_steps(BACKWARD, found.backward))
        return SearchResult(Plan(steps))

    def _affords(self, cost: Number) -> bool:
        return self._budget is None or cost <= self._budget

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

    def _meeting(self, touched: Iterable[TreeNode]) -> _Meeting | None:
        """Return the cheapest meeting at one of the nodes, None without one.

        Unless the search ends when the trees first meet, the meeting is within the budget.
        """
        best: _Meeting | None = None
        for forward, backward in self._pairs(touched):
            cost = forward.cost + backward.cost
            counts = self._settings.meet == "first" or self._affords(cost)
            if counts and (best is None or cost < best.cost):
                best = _Meeting(cost, forward, backward)
        return best

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
