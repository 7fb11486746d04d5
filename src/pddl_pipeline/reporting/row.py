"""A row of a report's tables: the results of a planner on a group of instances."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.scores import (
    PlanCost,
    agile_score,
    par2_s,
    satisficing_score,
)

InstanceKey = tuple[str, str]
"""An instance: its domain and its id."""


@dataclass(frozen=True, slots=True)
class Row:
    """The results of a planner on a domain, on one size of a domain, or on all domains."""

    domain: str
    """``all`` in the rows over all domains."""
    size: int | None
    """None if the row counts instances of all sizes."""
    planner: str
    instances: int
    claimed: int
    """Number of instances for which the planner claims a plan."""
    validated: int
    """Number of instances with a valid plan, within the budget if there is one."""
    mean_cost: Fraction | None
    """Exact mean over the validated plans; None over several domains, whose costs are not
    comparable."""
    mean_time_s: float | None
    """Mean wall-clock seconds over the validated plans."""
    par2_s: float | None
    """Mean over all instances; see `scores.par2_s`."""
    ipc_sat: float
    """Sum over all instances; see `satisficing_score`."""
    ipc_agile: float | None
    """Sum over all instances; see `agile_score`."""
    common: int
    """Number of these instances that every planner of the domain solved."""
    common_mean_cost: Fraction | None
    """As `mean_cost`, over the common instances; use this to compare planners."""
    common_mean_time_s: float | None

    @property
    def coverage(self) -> Fraction:
        """Validated instances in percent."""
        return Fraction(100 * self.validated, self.instances)


def make_row(
    results: Sequence[RunResult],
    best: Mapping[InstanceKey, PlanCost],
    common: AbstractSet[InstanceKey],
    domain: str,
    size: int | None = None,
) -> Row:
    """Summarise the runs of one planner.

    Args:
        results: one or more runs, at most one for each instance.
        best: the cost of the best known plan, by instance.
        common: the instances that every planner solved.
        domain: the name in the column of domains.
        size: the size of all these instances; None if the row is not about one size.
    """
    solved = [result for result in results if result.solved]
    shared = [result for result in solved if instance_key(result) in common]
    return Row(
        domain=domain,
        size=size,
        planner=results[0].planner,
        instances=len(results),
        claimed=sum(result.claimed for result in results),
        validated=len(solved),
        mean_cost=_mean_cost(solved),
        mean_time_s=_mean_time(solved),
        par2_s=_mean([par2_s(result) for result in results]),
        ipc_sat=math.fsum(satisficing_score(r, best.get(instance_key(r))) for r in results),
        ipc_agile=_sum([agile_score(result) for result in results]),
        common=len(shared),
        common_mean_cost=_mean_cost(shared),
        common_mean_time_s=_mean_time(shared),
    )


def instance_key(result: RunResult) -> InstanceKey:
    """Return the instance of a run."""
    return result.domain, result.id


def _mean_cost(solved: Sequence[RunResult]) -> Fraction | None:
    costs = [result.cost for result in solved if result.cost is not None]
    if not costs or len({result.domain for result in solved}) > 1:
        return None
    return Fraction(sum(costs)) / len(costs)


def _mean_time(solved: Sequence[RunResult]) -> float | None:
    return fmean(result.wall_s for result in solved) if solved else None


def _sum(values: Sequence[float | None]) -> float | None:
    """Return the sum, independent of the order, or None if a value is unknown."""
    known = [value for value in values if value is not None]
    return math.fsum(known) if len(known) == len(values) else None


def _mean(values: Sequence[float | None]) -> float | None:
    total = _sum(values)
    return None if total is None else total / len(values)
