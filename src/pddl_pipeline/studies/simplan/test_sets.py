"""SimPlan's ten test sets (Tables 8 and 9): a simple and a complex one for each of five domains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.studies.workbench import Workbench

SIMPLE: Final = "simple"
COMPLEX: Final = "complex"
IN_THE_PAPER: Final = {SIMPLE: 30, COMPLEX: 50}
"""The number of instances of a test set (Table 9)."""


class TestSet(NamedTuple):
    """A test set with the data that the paper states about it."""

    domain: str
    title: str
    """The domain's name in the paper's tables."""
    configuration: str
    """``simple`` or ``complex``."""
    objects: str
    """The numbers of objects of the kind that varies (Table 8)."""
    mean_length: float
    """The mean plan length (Table 8)."""

    @property
    def label(self) -> str:
        """The domain's title with an S or a C, as in Table 2."""
        return f"{self.title} {self.configuration[0].upper()}"

    @property
    def tick(self) -> str:
        """The label in two lines, for charts."""
        return self.label.replace(" ", "\n")

    @property
    def store(self) -> str:
        """The name of the run store."""
        return f"{self.domain}-{self.configuration}"

    def instances(
        self, bench: Workbench, *, quick: int, settings: Mapping[str, Any] | None = None
    ) -> list[Instance[Any]]:
        """Return the number of instances that the scale requires, evenly over the sizes."""
        number = bench.count(quick=quick, paper=IN_THE_PAPER[self.configuration])
        return bench.preset(self.domain, self.configuration, "test", number, settings=settings)


_DOMAINS: Final = (
    ("blocksworld", "Blocks", ("2-5", 8.3), ("11-25", 88.5)),
    ("ferry", "Ferry", ("2-5", 11.3), ("11-25", 50.2)),
    ("grippers", "Grippers", ("2-5", 10.1), ("11-25", 52.5)),
    ("depots", "Depots", ("2-5", 10.4), ("11-15", 132.1)),
    ("minigrid", "Minigrid", ("1-2", 19.5), ("3-8", 27.3)),
)
TEST_SETS: Final = tuple(
    TestSet(domain, title, configuration, *of_paper)
    for domain, title, *both in _DOMAINS
    for configuration, of_paper in zip((SIMPLE, COMPLEX), both, strict=True)
)
