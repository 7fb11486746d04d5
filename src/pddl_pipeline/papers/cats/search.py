"""CATS: bidirectional search guided by confidence and distance, within a budget (Zhang and Liu)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from pddl_pipeline.endpoints.settings import KEY
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.papers.rewards import Option, RewardSettings, Scorer, Situation, scorer
from pddl_pipeline.planners.planner import ADDED_LATER
from pddl_pipeline.scoring.metrics import NODE_LIMIT
from pddl_pipeline.search.baseline import (
    Baseline,
    SearchEffort,
    SearchInput,
    SearchResult,
    UnsupportedTask,
)
from pddl_pipeline.search.regression import Mutexes, Regression
from pddl_pipeline.search.world import Partial, StripsWorld, world_of


@dataclass(frozen=True)
class CatsSettings(RewardSettings):
    """The weight of the two rewards, the limit of the search, and the source of confidence."""

    omega: Annotated[float, Meta(ge=0, le=1)] = field(
        default=0.5,
        metadata={
            "help": "weight of confidence; that of distance is 1 - omega",
            "idle": {"reward": ("none",)},
        },
    )
    nodes: Annotated[int, Meta(ge=1)] = field(
        default=NODE_LIMIT,
        metadata={"help": "maximum number of expanded nodes of both trees together"},
    )
    meet: Literal["exhaustive", "first"] = field(
        default="exhaustive",
        metadata={
            "help": "when to end: at the first plan within the budget (exhaustive), or when the"
            " trees first meet (first)",
            **ADDED_LATER,
        },
    )
    goal: Literal["partial", "complete"] = field(
        default="partial",
        metadata={
            "help": "root of the backward tree: the goal as it is given (partial), or one complete"
            " state (complete)",
            **ADDED_LATER,
        },
    )
    mutexes: Literal["on", "off"] = field(
        default="on",
        metadata={
            "help": "whether the backward tree excludes states with pairs of atoms that never hold"
            " together",
            **ADDED_LATER,
        },
    )
    distance: Literal["jaccard", "printed"] = field(
        default="jaccard",
        metadata={
            "help": "J of equation 2: the Jaccard distance, or the formula as printed, which is the"
            " similarity",
            "idle": {"omega": (1.0,)},
            **ADDED_LATER,
        },
    )


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
        allowed = [child for child in children if self.affords(node.cost + child.cost)]
        node.was_cut = len(allowed) < len(children)
        growth = Growth([], [], [])
        if not any(self._is_cheaper(node, each) for each in allowed):
            return growth
        for each, value in zip(allowed, confidence(allowed), strict=True):
            if self._is_cheaper(node, each):
                self._keep(node, each, value, growth)
        return growth

    def affords(self, cost: Number) -> bool:
        """Return whether a cost is within the budget."""
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
        # 0 for a new node, whose cost is set here.
        saved = known.cost - node.cost - child.cost
        known.parent, known.step, known.confidence = node, child.step, value
        node.children.append(known)
        known.cost -= saved
        # A new node has no descendants yet, and is no cheaper than before.
        if known in growth.new:
            return
        growth.cheaper.append(known)
        self._reopen(known, growth)
        # What was reached through the node is cheaper, too.
        for below in _below(known):
            below.cost -= saved
            growth.cheaper.append(below)
            self._reopen(below, growth)

    def _reopen(self, node: TreeNode, growth: Growth) -> None:
        if node.was_cut:
            node.was_cut = False
            growth.reopened.append(node)


def _below(node: TreeNode) -> Iterator[TreeNode]:
    queue = list(node.children)
    for each in queue:  # which grows
        queue += each.children
        yield each


FORWARD: Final = 0
BACKWARD: Final = 1

_Matrix = npt.NDArray[np.float32]


class LeafDistances:
    """The nodes of both trees by number: which of them are leaves, and how near they are.

    J is the Jaccard distance, 1 - overlap / union. The distance reward is 1 - min J, which is the
    largest similarity. A state determines every atom; a partial state determines only the needed
    atoms, the unwanted atoms, and the atoms that exclude a needed one. Similarity is computed over
    these atoms only: the overlap consists of the needed atoms that hold, the union of the needed
    atoms and the excluded atoms that hold. It is 1 exactly where the trees meet. Over all atoms, it
    would be smaller for goals with fewer atoms. For complete states, it is the Jaccard similarity
    of the sets of atoms that hold.

    Args:
        regression: finds the atoms that a partial state excludes.
        width: the number of atoms.
        is_printed: whether J is overlap / union, as equation 2 prints it. Then, the reward is the
            largest distance.
    """

    def __init__(self, regression: Regression, width: int, *, is_printed: bool = False) -> None:
        self._regression = regression
        self._width = width
        self._is_printed = is_printed
        # Floats of 32 bits: the fast product of matrices needs floats, and counts of atoms are
        # exact.
        empty = np.zeros((0, width), np.float32)
        self._holds = self._needed = self._excluded = empty
        self._rewards = np.zeros((0, 0), np.float32)
        """1 - J, by the chosen definition of J: rows are forward nodes, columns backward nodes."""
        self._is_leaf = [np.zeros(0, np.bool_), np.zeros(0, np.bool_)]

    def add_states(self, states: Sequence[int]) -> None:
        """Add leaves of the forward tree."""
        new = self._rows(states)
        self._holds = np.concatenate([self._holds, new])
        rewards = self._rewards_of(new, self._needed, self._excluded)
        self._rewards = np.concatenate([self._rewards, rewards])
        self._add_leaves(FORWARD, len(states))

    def add_partials(self, partials: Sequence[Partial]) -> None:
        """Add leaves of the backward tree."""
        needed = self._rows([each.needed for each in partials])
        excluded = self._rows([self._regression.excluded(each) for each in partials])
        self._needed = np.concatenate([self._needed, needed])
        self._excluded = np.concatenate([self._excluded, excluded])
        rewards = self._rewards_of(self._holds, needed, excluded)
        self._rewards = np.concatenate([self._rewards, rewards], axis=1)
        self._add_leaves(BACKWARD, len(partials))

    def _rows(self, masks: Sequence[int]) -> _Matrix:
        # One row of bits for each state: NumPy compares all pairs by a product of matrices.
        size = self._width // 8 + 1
        content = b"".join(mask.to_bytes(size, "little") for mask in masks)
        bits = np.frombuffer(content, np.uint8).reshape(len(masks), size)
        found: _Matrix = np.unpackbits(bits, axis=1, bitorder="little")[:, : self._width].astype(
            np.float32
        )
        return found

    def _add_leaves(self, way: int, number: int) -> None:
        self._is_leaf[way] = np.append(self._is_leaf[way], np.ones(number, np.bool_))

    def reopen(self, way: int, number: int) -> None:
        """Mark a node as a leaf again."""
        self._is_leaf[way][number] = True

    def close(self, way: int, number: int) -> None:
        """Mark a node as no longer a leaf."""
        self._is_leaf[way][number] = False

    def leaves(self, way: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
        """Return the leaves of a tree, in the order of their numbers, and their rewards."""
        rewards = self._rewards if way == FORWARD else self._rewards.T
        found, others = (np.flatnonzero(self._is_leaf[each]) for each in (way, 1 - way))
        if not len(others):
            return found, np.zeros(len(found))
        return found, rewards[np.ix_(found, others)].max(axis=1).astype(np.float64)

    def _rewards_of(self, holds: _Matrix, needed: _Matrix, excluded: _Matrix) -> _Matrix:
        """Return 1 - J for each pair of a forward and a backward node."""
        union = needed.sum(axis=1) + holds @ excluded.T
        similarity: _Matrix = np.ones_like(union)
        # An empty union means that nothing is wanted: the trees meet, and the similarity is 1.
        np.divide(holds @ needed.T, union, out=similarity, where=union > 0)
        return 1 - similarity if self._is_printed else similarity


def _search(given: SearchInput, settings: CatsSettings, effort: SearchEffort) -> SearchResult:
    world = world_of(given.task)
    if not isinstance(world, StripsWorld):
        raise UnsupportedTask(
            "backward search requires a goal of atoms, and actions without numbers, quantifiers,"
            " conditional effects and axioms"
        )
    if any(operator.cost < 0 for operator in world.operators):
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
        self._regression = Regression(
            world,
            Mutexes(world) if settings.mutexes == "on" else None,
            complete=settings.goal == "complete",
        )
        roots = (world.start, self._regression.start)
        self._trees = (Tree(roots[FORWARD], given.budget), Tree(roots[BACKWARD], given.budget))
        self._distances = LeafDistances(
            self._regression, world.every.bit_length(), is_printed=settings.distance == "printed"
        )
        self._distances.add_states([roots[FORWARD]])
        self._distances.add_partials([roots[BACKWARD]])

    def run(self) -> SearchResult:
        """Expand the trees in turns until they meet; return the result."""
        # The start may satisfy the goal, so that the plan is empty.
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
            # The other tree was still expanded, as in the paper's loop, and may have met this one.
            if found is None and without_leaf is not None:
                return self._exhausted(without_leaf)
        if found is None:
            return SearchResult(
                None, f"the trees did not meet in {self._settings.nodes} expansions"
            )
        return self._extracted(found)

    def _exhausted(self, way: int) -> SearchResult:
        """Return why there is no plan if a tree is complete: it would contain one."""
        # A tree that the budget cut proves nothing about more expensive plans.
        if self._trees[way].was_cut:
            return SearchResult(None, f"no plan within the budget of {self._budget}")
        # There may be a plan to another state that satisfies the goal.
        if self._settings.goal == "complete":
            return SearchResult(None, "no plan to the completed goal")
        return SearchResult.exhausted()

    def _extracted(self, found: _Meeting) -> SearchResult:
        """Return the plan through a meeting; none if it exceeds the budget."""
        if not self._trees[FORWARD].affords(found.cost):
            reason = f"the trees met at a cost of {found.cost}, above the budget of {self._budget}"
            return SearchResult(None, reason)
        steps = (*_steps(FORWARD, found.forward), *_steps(BACKWARD, found.backward))
        return SearchResult(Plan(steps))

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
            Child(operator.step, state & operator.kept | operator.added, operator.cost)
            for operator in self._world.applicable(state)
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
            # The cheapest of the first meetings, also above the budget, ends the printed search.
            counts = self._settings.meet == "first" or self._trees[FORWARD].affords(cost)
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
    # All equal: the numerator is 0 everywhere, and the divisor must not be.
    scaled: npt.NDArray[np.float64] = (values - low) / (high - low or 1.0)
    return scaled


BASELINES: Final = (
    Baseline(
        name="cats",
        about="CATS: bidirectional search by confidence and distance, within the budget",
        settings=CatsSettings,
        search=_search,
        secrets=(KEY,),
        features=frozenset({"costs"}),
    ),
)
