"""A row of a report's tables: the results and scores of a planner on a group of instances."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from fractions import Fraction
from statistics import fmean
from typing import Any, Final, Literal, NamedTuple, TypeVar, get_args, get_type_hints

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.reporting.stored_plans import MissingRun

_PENALTY: Final = 2


class PlanCost(NamedTuple):
    """The cost of a valid plan, and its planner. The minimum of several is the best known."""

    in_steps: bool
    """Whether `value` is the number of steps, because the exact cost is unknown."""
    value: Number
    planner: str


def plan_cost(result: RunResult) -> PlanCost | None:
    """Return the cost of a run's plan, even if over budget, or None without a valid plan."""
    if result.status is not Status.VALID:
        return None
    if result.cost is not None:
        return PlanCost(in_steps=False, value=result.cost, planner=result.planner)
    return PlanCost(in_steps=True, value=result.steps or 0, planner=result.planner)


def time_limit(result: RunResult) -> float | None:
    """Return the wall-clock limit of a run in seconds, or None if it had none."""
    limit = result.limits.get("time_s")
    return None if limit is None else float(limit)


def satisficing_score(result: RunResult, best: PlanCost | None) -> Fraction:
    """Return C*/C, from 0 to 1: the quality score of the satisficing tracks of IPC 2008 to 2018.

    Args:
        result: a run; its score is 0 unless it is solved.
        best: C*, the cost of the best known plan for the instance. A plan of that cost scores 1,
            even if the cost is 0.
    """
    cost = plan_cost(result)
    if cost is None or best is None or not result.solved:
        return Fraction(0)
    if cost.value <= best.value:
        return Fraction(1)
    # A negative cost has no ratio: any plan worse than the best then scores 0.
    return Fraction(max(best.value, 0)) / cost.value if cost.value > 0 else Fraction(0)


def agile_score(result: RunResult) -> float | None:
    """Return the score of the agile track of IPC 2018, from 0 to 1.

    With T seconds of wall-clock time and a limit of L: 1 if T <= 1, else 1 - log T / log L, and 0
    if the run is not solved within L. Return None if a limit is required and there is none.
    """
    limit = time_limit(result)
    if not result.solved or (limit is not None and result.wall_s > limit):
        return 0.0
    if result.wall_s <= 1:
        return 1.0
    return None if limit is None else 1 - math.log(result.wall_s) / math.log(limit)


def par2_s(result: RunResult) -> float | None:
    """Return the PAR-2 score of a run, in seconds, as in the SAT competitions.

    This is the wall-clock time if the run is solved, else twice the limit, or None without a limit.
    """
    return result.wall_s if result.solved else unsolved_par2_s(time_limit(result))


def unsolved_par2_s(limit: float | None) -> float | None:
    """Return the PAR-2 score of a run that is not solved: twice its limit, in seconds."""
    return None if limit is None else _PENALTY * limit


InstanceKey = tuple[str, str]
"""An instance: its domain and its id."""
Part = Literal["names", "counts", "coverage", "scores", "common", "model"]
"""A group of columns; each table has some of them."""
Value = TypeVar("Value")
_COLUMN: Final = "column"


Entry = RunResult | MissingRun
"""A planned run, made or not."""


class PlannerRuns(NamedTuple):
    """The runs of one planner on a group of instances, which a row summarises."""

    planner: str
    results: Sequence[RunResult]
    """The runs that were made, at most one for each instance."""
    missing: Sequence[MissingRun]
    """The runs that were not made; no instance has a run of both kinds."""
    solved: Sequence[RunResult]
    """The runs that solved their instance."""
    shared: Sequence[RunResult]
    """The solved runs of instances that every planner solved."""
    best: Mapping[InstanceKey, PlanCost]
    """The cost of the best known plan, by instance."""
    domain: str
    size: int | None

    @property
    def instances(self) -> int:
        """The number of planned runs."""
        return len(self.results) + len(self.missing)


class Column(NamedTuple):
    """How the tables show an attribute of `Row`."""

    heading: str
    part: Part
    value: Callable[[PlannerRuns], Any]
    digits: int | None
    """The number of decimals; None for names and counts."""


def column(
    heading: str, part: Part, value: Callable[[PlannerRuns], Value], digits: int | None = None
) -> Value:
    """Define an attribute of `Row`, with its column in the tables; see `Column`."""
    defined: Value = field(metadata={_COLUMN: Column(heading, part, value, digits)})
    return defined


@dataclass(frozen=True, slots=True)
class Row:
    """The results of a planner on a domain, on one size of a domain, or on all domains.

    To add a column, add an attribute: the tables and the lines of JSON have every attribute.
    """

    domain: str = column("domain", "names", lambda runs: runs.domain)
    """``all`` in the rows over all domains."""
    size: int | None = column("size", "names", lambda runs: runs.size)
    """None if the row counts instances of all sizes."""
    planner: str = column("planner", "names", lambda runs: runs.planner)
    instances: int = column("instances", "counts", lambda runs: runs.instances)
    """Number of planned runs; shares and means over all instances are over these."""
    not_run: int = column("not run", "counts", lambda runs: len(runs.missing))
    """Number of planned runs that were not made yet; they count as not solved."""
    claimed: int = column(
        "claimed solved", "counts", lambda runs: sum(result.claimed for result in runs.results)
    )
    """Number of instances for which the planner claims a plan."""
    validated: int = column("validated", "counts", lambda runs: len(runs.solved))
    """Number of instances with a valid plan, within the budget if there is one."""
    mean_cost: Fraction | None = column(
        "mean cost", "counts", lambda runs: _mean_cost(runs.solved), 2
    )
    """Exact mean over the validated plans; None over several domains, whose costs are not
    comparable."""
    mean_time_s: float | None = column(
        "mean time (s)", "counts", lambda runs: _mean_time(runs.solved), 2
    )
    """Mean wall-clock seconds over the validated plans."""
    par2_s: float | None = column("PAR-2 (s)", "scores", lambda runs: _mean(_par2_s(runs)), 2)
    """Mean over all instances; see `scores.par2_s`."""
    ipc_sat: float = column(
        "IPC sat",
        "scores",
        lambda runs: math.fsum(
            satisficing_score(result, runs.best.get(instance_key(result)))
            for result in runs.results
        ),
        2,
    )
    """Sum over all instances; see `satisficing_score`."""
    ipc_agile: float | None = column(
        "IPC agile", "scores", lambda runs: _sum(map(agile_score, runs.results)), 2
    )
    """Sum over all instances; see `agile_score`."""
    common: int = column("common", "common", lambda runs: len(runs.shared))
    """Number of these instances that every planner of the domain solved."""
    common_mean_cost: Fraction | None = column(
        "mean cost (common)", "common", lambda runs: _mean_cost(runs.shared), 2
    )
    """As `mean_cost`, over the common instances; use this to compare planners."""
    common_mean_time_s: float | None = column(
        "mean time (common, s)", "common", lambda runs: _mean_time(runs.shared), 2
    )
    coverage: Fraction = column(
        "coverage (%)",
        "coverage",
        lambda runs: Fraction(100 * len(runs.solved), runs.instances),
        1,
    )
    """Validated instances in percent."""
    calls: int | None = column("calls", "model", lambda runs: _count(runs, "calls"))
    """Answers of a language model in all runs; this and the following are None for planners."""
    prompt_tokens: int | None = column(
        "prompt tokens", "model", lambda runs: _count(runs, "prompt_tokens")
    )
    answer_tokens: int | None = column(
        "answer tokens", "model", lambda runs: _count(runs, "answer_tokens")
    )


def columns() -> dict[str, Column]:
    """Return the columns by attribute of `Row`, in the order of the lines of JSON."""
    return {each.name: each.metadata[_COLUMN] for each in fields(Row)}


def exact_columns() -> frozenset[str]:
    """Return the attributes of `Row` that are fractions."""
    hints = get_type_hints(Row).items()
    return frozenset(name for name, hint in hints if Fraction in (hint, *get_args(hint)))


def make_row(
    entries: Sequence[Entry],
    best: Mapping[InstanceKey, PlanCost],
    common: AbstractSet[InstanceKey],
    domain: str,
    size: int | None = None,
) -> Row:
    """Summarise the runs of one planner.

    Args:
        entries: one or more planned runs, at most one for each instance.
        best: the cost of the best known plan, by instance.
        common: the instances that every planner solved.
        domain: the name in the column of domains.
        size: the size of all these instances; None if the row is not about one size.
    """
    results = [each for each in entries if isinstance(each, RunResult)]
    missing = [each for each in entries if isinstance(each, MissingRun)]
    solved = [result for result in results if result.solved]
    shared = [result for result in solved if instance_key(result) in common]
    runs = PlannerRuns(entries[0].planner, results, missing, solved, shared, best, domain, size)
    return Row(**{name: each.value(runs) for name, each in columns().items()})


def instance_key(entry: Entry) -> InstanceKey:
    """Return the instance of a run."""
    return entry.domain, entry.id


def _par2_s(runs: PlannerRuns) -> Iterator[float | None]:
    """Yield the PAR-2 score of each planned run; a missing one counts as not solved."""
    yield from map(par2_s, runs.results)
    yield from (unsolved_par2_s(each.time_s) for each in runs.missing)


def _mean_cost(solved: Sequence[RunResult]) -> Fraction | None:
    costs = [result.cost for result in solved if result.cost is not None]
    if not costs or len({result.domain for result in solved}) > 1:
        return None
    return Fraction(sum(costs)) / len(costs)


def _mean_time(solved: Sequence[RunResult]) -> float | None:
    return fmean(result.wall_s for result in solved) if solved else None


def _count(runs: PlannerRuns, name: str) -> int | None:
    """Return the sum of a field over all runs that have it, None if there is none."""
    found = [getattr(result, name) for result in runs.results]
    known = [value for value in found if value is not None]
    return sum(known) if known else None


def _sum(values: Iterable[float | None]) -> float | None:
    """Return the sum, independent of the order, or None if a value is unknown."""
    found = list(values)
    known = [value for value in found if value is not None]
    return math.fsum(known) if len(known) == len(found) else None


def _mean(values: Iterable[float | None]) -> float | None:
    found = list(values)
    total = _sum(found)
    return None if total is None else total / len(found)
