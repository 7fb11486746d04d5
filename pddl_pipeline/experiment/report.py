"""Tables over the results of run stores. The same results give the same report, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from statistics import fmean

from pddl_pipeline.experiment.store import read_store
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status

Section = tuple[str, tuple[RunResult, ...]]
"""A title, and the runs under it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the main table: a planner on a domain."""

    domain: str
    planner: str
    instances: int
    claimed: int
    """Instances for which the planner claims a plan."""
    validated: int
    """Instances whose plan was found valid, within the budget where there is one: the coverage."""
    mean_cost: Fraction | None
    """Over the validated plans, exact."""
    mean_time_s: float | None
    """Wall-clock seconds over the validated plans."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of a set of runs."""

    rows: tuple[Row, ...]
    """By domain and planner."""
    disputed: tuple[RunResult, ...]
    """Runs on whose plan two validators disagree, or that cannot be judged."""
    unexplained: tuple[RunResult, ...]
    """Crashed and lost runs."""
    rejected: tuple[RunResult, ...]
    """Runs whose claimed plan is no plan."""
    contradicted: tuple[RunResult, ...]
    """Runs that claim there is no plan where another run found a valid one."""
    over_budget: tuple[RunResult, ...]
    """Runs whose plan is valid and costs more than the budget."""
    failed: tuple[RunResult, ...]
    """The other runs without a plan: time-outs, unsupported problems and so on."""

    @property
    def urgent(self) -> list[Section]:
        """The runs that somebody has to look at before believing the table."""
        return [
            ("Disputed or undecided verdicts", self.disputed),
            ("Unexplained: crashed or lost", self.unexplained),
        ]

    @property
    def further(self) -> list[Section]:
        """The other runs that did not end in a plan that counts."""
        return [
            ("Claimed plans that are no plans", self.rejected),
            ("Claimed unsolvable, but solved by another run", self.contradicted),
            ("Valid plans over their budget", self.over_budget),
            ("Runs without a plan", self.failed),
        ]


def report(*stores: str | Path) -> Report:
    """Summarise run stores.

    Of several runs of one planner on one instance, under other limits for example, the newest
    counts.

    Raises:
        InputError: a folder is no run store.
        StoreError: a store has a broken line.
    """
    return summarise(result for store in stores for result in read_store(Path(store)))


def summarise(results: Iterable[RunResult]) -> Report:
    """Return the report on these results, whatever their order; see `report`."""
    newest: dict[tuple[str, str, str], RunResult] = {}
    for result in sorted(results, key=lambda r: (r.started, r.key)):
        newest[result.domain, result.planner, result.id] = result
    ordered = sorted(newest.values(), key=lambda r: (r.domain, r.planner, r.size, r.id))
    rows = [
        _row(domain, planner, list(group))
        for (domain, planner), group in groupby(ordered, key=lambda r: (r.domain, r.planner))
    ]
    solved = {(r.domain, r.id) for r in ordered if r.status is Status.VALID}
    claims = [r for r in ordered if r.outcome is Outcome.CLAIMS_UNSOLVABLE]
    contradicted = [r for r in claims if (r.domain, r.id) in solved]
    return Report(
        rows=tuple(rows),
        disputed=tuple(r for r in ordered if r.status is not None and r.status.unsettled),
        unexplained=tuple(r for r in ordered if r.outcome.unexplained),
        rejected=tuple(r for r in ordered if r.status in (Status.INVALID, Status.MALFORMED)),
        contradicted=tuple(contradicted),
        over_budget=tuple(r for r in ordered if r.within_budget is False),
        failed=tuple(
            r
            for r in ordered
            if r.status is None and not r.outcome.unexplained and r not in contradicted
        ),
    )


def _row(domain: str, planner: str, results: Sequence[RunResult]) -> Row:
    solved = [result for result in results if result.solved]
    costs = [Fraction(result.cost) for result in solved if result.cost is not None]
    return Row(
        domain=domain,
        planner=planner,
        instances=len(results),
        claimed=sum(result.claimed for result in results),
        validated=len(solved),
        mean_cost=sum(costs, Fraction(0)) / len(costs) if costs else None,
        mean_time_s=round(fmean(r.wall_s for r in solved), 3) if solved else None,
    )
