"""The landmark graph that LAMA uses, as Fast Downward prints it (Richter and Westphal 2010).

The landmarks are those of the configuration ``lama-first``: the backchaining of Richter, Helmert
and Westphal (2008), and reasonable orders after Hoffmann, Porteous and Sebastia (2004).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.attempting import attempt
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.validation.language import Ground

NECESSARY: Final = "nec"
GREEDY_NECESSARY: Final = "gn"
NATURAL: Final = "n"
REASONABLE: Final = "r"
SOUND: Final = frozenset({NECESSARY, GREEDY_NECESSARY, NATURAL})
"""Labels of orders that hold in every plan: one landmark is true at some time before the other."""

# Only the landmark graph is needed, so the search ends at once.
_SEARCH: Final = (
    "eager_greedy([landmark_sum(lm_factory=lm_reasonable_orders_hps(lm_rhw(),verbosity=debug),"
    "pref=false)],max_time=0)"
)
_NODE: Final = re.compile(r'^ +lm(\d+) \[label="([^"]*)"')
_ORDER: Final = re.compile(r'^ +lm(\d+) -> lm(\d+) \[label="(\w+)"')
_ATOM: Final = re.compile(r"(Negated)?Atom ([^\s()]+)\(([^()]*)\)")
_END: Final = "Landmark graph end."


class Order(NamedTuple):
    """An edge of the graph."""

    before: int
    """Number of the landmark that comes first."""
    after: int
    """Number of the landmark that comes later."""
    kind: str
    """Fast Downward's label: ``nec``, ``gn`` (greedy-necessary), ``n`` (natural), ``r``
    (reasonable)."""


@dataclass(frozen=True, slots=True)
class LandmarkGraph:
    """Landmarks and their orders."""

    landmarks: Mapping[int, tuple[Ground, ...]]
    """By number: the atoms of which at least one holds at some time in every plan. Landmarks with
    negated atoms are omitted."""
    orders: tuple[Order, ...]

    def facts(self) -> dict[Ground, int]:
        """Return the landmarks that consist of one atom, with their numbers."""
        return {atoms[0]: number for number, atoms in self.landmarks.items() if len(atoms) == 1}

    def distance(self, before: int, after: int, kinds: Collection[str]) -> int | None:
        """Return the length of a shortest path between two landmarks; None if there is no path.

        Args:
            before: number of the first landmark.
            after: number of the second landmark.
            kinds: labels of the orders that the path may use.
        """
        layer, seen, length = {before}, {before}, 0
        while layer:
            if after in layer:
                return length
            layer = {
                order.after
                for order in self.orders
                if order.before in layer and order.kind in kinds
            } - seen
            seen |= layer
            length += 1
        return None


def landmark_graph(problem: Problem, limits: Limits) -> LandmarkGraph:
    """Return the landmark graph of a classical problem's initial state.

    Raises:
        EngineError: Fast Downward is not installed or printed no graph; the message has the reason.
    """
    done = attempt(planner_named(f"fd:{_SEARCH}"), problem, limits)
    log = done.log.decode(errors="replace")
    if _END not in log:
        raise EngineError(f"Fast Downward printed no landmark graph: {done.reason or done.outcome}")
    return read_landmark_graph(log)


def read_landmark_graph(log: str) -> LandmarkGraph:
    """Return the graph that Fast Downward printed, with names in lower case."""
    landmarks: dict[int, tuple[Ground, ...]] = {}
    orders: list[Order] = []
    for line in log.splitlines():
        node, order = _NODE.match(line), _ORDER.match(line)
        if node is not None:
            landmarks[int(node[1])] = _atoms(node[2])
        elif order is not None:
            orders.append(Order(int(order[1]), int(order[2]), order[3]))
    return LandmarkGraph({n: atoms for n, atoms in landmarks.items() if atoms}, tuple(orders))


def _atoms(label: str) -> tuple[Ground, ...]:
    """Return the atoms of a node; an empty tuple if one of them is negated."""
    found = _ATOM.findall(label)
    if any(negated for negated, _, _ in found):
        return ()
    return tuple((name, *filter(None, re.split(r",\s*", words))) for _, name, words in found)
