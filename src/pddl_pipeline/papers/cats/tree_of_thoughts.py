"""Tree of Thoughts with actions as thoughts (Yao et al. 2023), as in the comparison of CATS."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import partial
from math import exp
from typing import Annotated, Final, Literal

from msgspec import Meta

from pddl_pipeline.endpoints.settings import KEY
from pddl_pipeline.papers.rewards import Expander, Scored, TreeSettings, tree_search
from pddl_pipeline.search.baseline import Baseline, SearchEffort, SearchInput, SearchResult
from pddl_pipeline.search.best_first import Node


@dataclass(frozen=True)
class TotSettings(TreeSettings):
    """The choice between the paper's two algorithms, and the limits of the search."""

    search: Literal["bfs", "dfs"] = field(
        default="bfs", metadata={"help": "bfs keeps the best nodes of each depth, dfs backtracks"}
    )
    breadth: Annotated[int, Meta(ge=1)] = field(
        default=5,
        metadata={"help": "number of nodes that bfs keeps per depth", "idle": {"search": ("dfs",)}},
    )
    threshold: Annotated[float, Meta(ge=0, lt=1)] = field(
        default=0,
        metadata={
            "help": "dfs skips actions whose confidence is at most this probability",
            "idle": {"search": ("bfs",)},
        },
    )


def _search(given: SearchInput, settings: TotSettings, effort: SearchEffort) -> SearchResult:
    """Search until a state satisfies the goal.

    The value of a state is the confidence in the action that leads to it (CATS, equation 1). States
    with the same value are ordered by their generation.
    """
    algorithm = _breadth_first if settings.search == "bfs" else _depth_first
    return tree_search(given, settings, effort, partial(algorithm, settings))


def _breadth_first(settings: TotSettings, expander: Expander, root: Node) -> Node | None:
    """Search by Algorithm 1: expand all nodes of a depth and keep the best of the next depth.

    Each depth has a state only once.
    """
    level = [root]
    while level:
        found: list[Scored] = []
        for node in level:
            if expander.is_spent:
                return None
            children = expander.expand(node)
            goal = expander.goal(children)
            if goal is not None:
                return goal
            found += children
        best: dict[Hashable, Node] = {}
        for node in _sorted(found):
            # Sorted: the first node of a state is its best one.
            best.setdefault(node.state, node)
        level = list(best.values())[: settings.breadth]
    return None


def _depth_first(settings: TotSettings, expander: Expander, root: Node) -> Node | None:
    """Search by Algorithm 2: expand the best child first; backtrack if none is above threshold."""
    stack = [root]
    while stack and not expander.is_spent:
        children = expander.expand(stack.pop())
        goal = expander.goal(children)
        if goal is not None:
            return goal
        above = [child for child in children if exp(child.score.confidence) > settings.threshold]
        # The best child is on top.
        stack += reversed(_sorted(above))
    return None


def _sorted(found: list[Scored]) -> list[Node]:
    return [each.node for each in sorted(found, key=lambda each: -each.score.confidence)]


BASELINES: Final = (
    Baseline(
        name="tot",
        about="Tree of Thoughts: breadth-first or depth-first by confidence, within the budget",
        settings=TotSettings,
        search=_search,
        secrets=(KEY,),
    ),
)
