"""SimPlan's numbers, and its ten test sets: a simple and a complex one for each domain."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.data import published
from pddl_pipeline.papers.study import Workbench

SIMPLE: Final = "simple"
COMPLEX: Final = "complex"


def not_stated(what: str) -> str:
    """Return that the paper does not state something, as a clause; empty for nothing."""
    return f"the paper does not state {what}" if what else ""


class TestSet(msgspec.Struct, frozen=True):
    """A test set and the paper's results on it."""

    source: str
    domain: str
    title: str
    """The domain's name in the paper's tables."""
    configuration: str
    """``simple`` or ``complex``."""
    objects: str
    """The numbers of objects of the kind that varies."""
    mean_length: float
    """The mean plan length."""
    random: float
    """The fraction that random steps solve."""
    goal_count: float
    """The fraction that the goals-completed heuristic solves."""
    simplan: float
    """The fraction that SimPlan solves with its trained model."""
    unstated: str = ""
    """The settings that the paper does not state, if the results depend on them."""
    unstated_search: str = ""
    """What the paper does not state of the goals-completed search, if its result depends on it."""
    all_splits: tuple[float, float, int] | None = None
    """Mean, deviation and number of the lengths of all splits' plans, if the test split's differ
    from the others'."""

    @property
    def size(self) -> int:
        """The paper's number of instances."""
        return int(getattr(PUBLISHED.instances, self.configuration))

    @property
    def label(self) -> str:
        """The domain's title with an S or a C, as in Table 2."""
        return f"{self.title} {self.configuration[0].upper()}"

    @property
    def store(self) -> str:
        """The name of the run store."""
        return f"{self.domain}-{self.configuration}"

    def instances(
        self,
        bench: Workbench,
        *,
        quick: int,
        slow: int | None = None,
    ) -> list[Instance[Any]]:
        """Return the number of instances that the scale requires, evenly over the sizes.

        Args:
            bench: the workbench.
            quick: the number of the quick scale; half of it for complex instances.
            slow: the number of the paper's scale for complex Depots, where an instance may take
                minutes; None for the paper's number.
        """
        usual = self.size if slow is None or self.store != _SLOW else slow
        quick = quick if self.configuration == SIMPLE else quick // 2
        number = bench.count(quick=quick, paper=usual)
        return bench.preset(self.domain, self.configuration, "test", number)


_SLOW: Final = "depots-complex"
PUBLISHED: Final = published(__package__)
MARGINS: Final = PUBLISHED.margins
TEST_SETS: Final = msgspec.convert(PUBLISHED.sets, tuple[TestSet, ...])
CARDS: Final = tuple(f"data/{test_set.store}.toml" for test_set in TEST_SETS)
"""The cards of the generated test sets."""
