"""RAP: Monte Carlo tree search by confidence (Hao et al. 2023), as in the comparison of CATS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, log, sqrt
from random import Random
from typing import Annotated, Final

from msgspec import Meta

from pddl_pipeline.endpoints.settings import KEY
from pddl_pipeline.papers.rewards import Expander, TreeSettings, tree_search
from pddl_pipeline.search.baseline import Baseline, SearchEffort, SearchInput, SearchResult
from pddl_pipeline.search.best_first import Node


@dataclass(frozen=True)
class RapSettings(TreeSettings):
    """The weight of exploration, the seed, and the limits of the search."""

    exploration: Annotated[float, Meta(ge=0)] = field(
        default=1, metadata={"help": "weight of exploration when choosing a child"}
    )
    seed: int = field(default=0, metadata={"help": "seed of the pseudo-random choice between ties"})


@dataclass(slots=True, eq=False)
class _Branch:
    """A node of the tree."""

    node: Node
    reward: float = 0.0
    """Confidence in the action that leads here, as a probability."""
    value: float = 0.0
    """Q: the largest mean reward of all explored paths from here on."""
    visits: int = 0
    children: list[_Branch] | None = None
    """The children that are not dead ends; None before the expansion."""


def _search(given: SearchInput, settings: RapSettings, effort: SearchEffort) -> SearchResult:
    """Search until a state satisfies the goal: CATS counts expansions up to the first plan."""
    return tree_search(
        given, settings, effort, lambda expander, root: _Rap(expander, settings, root).run()
    )


class _Rap:
    """The tree, and its four phases (section 3.3 of the paper).

    The reward of an action is its confidence as a probability, exp of CATS's equation 1. The value
    of an unvisited child is its own reward, as in the authors' library. Simulation continues from
    the child with the largest reward, and the nodes that it expands stay in the tree.
    """

    def __init__(self, expander: Expander, settings: RapSettings, root: Node) -> None:
        self._expander = expander
        self._weight = settings.exploration
        self._random = Random(settings.seed)
        self._root = _Branch(root)

    def run(self) -> Node | None:
        while not self._expander.is_spent and self._root.children != []:
            path = self._selected()
            # The simulation: each of its branches is expanded, and the next one is below it.
            while path[-1].children is None and not self._expander.is_spent:
                goal = self._expand(path[-1])
                if goal is not None:
                    return goal
                if path[-1].children:
                    path.append(
                        self._best(path[-1].children, [c.reward for c in path[-1].children])
                    )
            _propagate(path)
        return None

    def _selected(self) -> list[_Branch]:
        """Return the path from the root by upper confidence bounds to a branch without children."""
        path = [self._root]
        while path[-1].children:
            parent = path[-1]
            known = log(max(parent.visits, 1))
            bounds = [
                (child.value if child.visits else child.reward)
                + self._weight * sqrt(known / max(child.visits, 1))
                for child in path[-1].children
            ]
            path.append(self._best(path[-1].children, bounds))
        return path

    def _best(self, branches: Sequence[_Branch], values: Sequence[float]) -> _Branch:
        most = max(values)
        best = [each for each, value in zip(branches, values, strict=True) if value == most]
        return best[0] if len(best) == 1 else self._random.choice(best)

    def _expand(self, branch: _Branch) -> Node | None:
        """Create the children of a branch; return the first that satisfies the goal, else None."""
        found = self._expander.expand(branch.node)
        branch.children = [_Branch(each.node, exp(each.score.confidence)) for each in found]
        return self._expander.goal(found)


def _propagate(path: Sequence[_Branch]) -> None:
    """Update the branches of a path with its mean rewards, and remove dead ends."""
    total, count = 0.0, 0
    for branch in reversed(path):
        # The mean reward from this branch to the end of the path.
        total, count = total + branch.reward, count + 1
        branch.value = max(branch.value, total / count)
        branch.visits += 1
    for parent, child in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
        if child.children == [] and parent.children is not None:
            parent.children.remove(child)


BASELINES: Final = (
    Baseline(
        name="rap",
        about="RAP: Monte Carlo tree search guided by confidence, within the budget",
        settings=RapSettings,
        search=_search,
        secrets=(KEY,),
    ),
)
