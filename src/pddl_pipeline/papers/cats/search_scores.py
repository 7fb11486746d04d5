"""Success, optimality and efficiency of searches within a budget (CATS, section 5.1)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.cats.cells import average
from pddl_pipeline.papers.cats.published import ALL, Cells
from pddl_pipeline.papers.cats.tasks import horizon_of
from pddl_pipeline.papers.comparison import Quantity, share
from pddl_pipeline.scoring.metrics import efficiency, optimal_cost, optimality
from pddl_pipeline.statistics.share_differences import PairedDifference
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS


class Scored(NamedTuple):
    """The scores of one run."""

    optimality: float
    """By equation 4; 0 without success.

    The paper's averages imply the 0: under the tight budget each success counts 0.5, and the rows
    of its trees are half of their success rates.
    """
    efficiency: float | None
    """By equation 4; None without success (Table 3: n/a)."""
    excess: Number | None
    """The plan's cost minus the least cost; None without success."""


@dataclass(frozen=True, slots=True)
class Method:
    """The scores of a planner under a budget."""

    runs: Mapping[str, Sequence[Scored]]
    """By horizon."""

    @property
    def scores(self) -> dict[str, Cells]:
        """The averages of Tables 2 and 3 by metric; those of efficiency are over solved tasks."""
        success = self.success()
        return {
            "success": success,
            "optimality": self._means(lambda run: run.optimality),
            "efficiency": self._means(lambda run: run.efficiency, success),
        }

    def success(self, margin: float = math.inf) -> Cells:
        """Return the shares of tasks with a plan that costs at most `margin` more than the least.

        Without a margin, these are the success rates.
        """
        return self._means(lambda run: run.excess is not None and run.excess <= margin)

    def solved(self, name: str, margin: float = math.inf) -> Quantity:
        """Return the number of tasks of a horizon that `success` counts, with the interval."""
        excesses = [run.excess for run in self.runs.get(name, ())]
        return share(sum(x is not None and x <= margin for x in excesses), len(excesses), name)

    def solved_of_all(self) -> tuple[int, int]:
        """Return the number of tasks of all horizons with a plan, and of all tasks."""
        excesses = [run.excess for runs in self.runs.values() for run in runs]
        return sum(excess is not None for excess in excesses), len(excesses)

    def efficiencies(self) -> dict[str, list[float]]:
        """Return the efficiency of each solved task by horizon."""
        return {
            name: [run.efficiency for run in runs if run.efficiency is not None]
            for name, runs in self.runs.items()
        }

    def _means(
        self, value: Callable[[Scored], float | None], success: Cells | None = None
    ) -> Cells:
        """Return the means of the known values by horizon, and their average as in `average`."""
        cells = {}
        for name in HORIZONS:
            values = [each for run in self.runs.get(name, ()) if (each := value(run)) is not None]
            if values:
                cells[name] = fmean(values)
        mean = average(cells, success)
        return cells if mean is None else {**cells, ALL: mean}


def paired_success(one: Method, other: Method) -> PairedDifference:
    """Return the difference of the success rates of two methods on the same tasks."""
    pairs = [
        (first.excess is not None, second.excess is not None)
        for name in one.runs
        for first, second in zip(one.runs[name], other.runs[name], strict=True)
    ]
    return PairedDifference(pairs.count((True, False)), pairs.count((False, True)), len(pairs))


def scored(instance: Instance[Any], run: RunResult) -> Scored:
    """Return the scores of a run."""
    best = optimal_cost(instance)
    if not run.solved or run.cost is None or best is None:
        return Scored(optimality=0.0, efficiency=None, excess=None)
    return Scored(
        optimality=float(optimality(run.cost, best)),
        efficiency=None if run.expanded is None else float(efficiency(run.expanded)),
        excess=run.cost - best,
    )


def methods(
    instances: Iterable[Instance[Any]], runs: Iterable[RunResult]
) -> dict[tuple[str, str], Method]:
    """Return the methods by budget and planner; an instance's id ends with the budget's name."""
    known = {each.id: each for each in instances}
    found = defaultdict[tuple[str, str], defaultdict[str, list[Scored]]](lambda: defaultdict(list))
    for run in runs:
        instance = known[run.id]
        of_method = found[run.id.rpartition("-")[2], run.planner]
        of_method[horizon_of(instance)].append(scored(instance, run))
    return {key: Method(dict(by_horizon)) for key, by_horizon in found.items()}
