"""A row of a report's tables: the results and scores of a planner on a group of instances."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from statistics import fmean
from sys import intern
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, get_args, get_type_hints

from pddl_pipeline.endpoints.settings import known_sum
from pddl_pipeline.model.number import Number, number_fields
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.reporting.planned_runs import MissingRun
from pddl_pipeline.scoring.metrics import efficiency, known, optimality


class PlanCost(NamedTuple):
    """The cost of a valid plan, and its planner. The minimum of several is the best known."""

    in_steps: bool
    """Whether `value` is the number of steps, because the exact cost is unknown."""
    rank: Number
    """The cost; its negative if the metric is maximised."""
    planner: str
    maximise: bool = False

    @property
    def value(self) -> Number:
        """The cost, or the number of steps."""
        return -self.rank if self.maximise else self.rank


def plan_cost(result: RunResult) -> PlanCost | None:
    """Return the cost of a run's best plan, even if over budget, or None without a valid claim."""
    return min((cost for _, cost in costs_over_time(result)), default=None)


def costs_over_time(result: RunResult) -> list[tuple[float, PlanCost]]:
    """Return the seconds and the cost of each valid plan of a run whose claimed plan is valid.

    Runs without times, of several plans or of older versions, have one plan, at their end.
    """
    if result.status is not Status.VALID:
        return []
    found = [
        (improvement.time_s, improvement.cost, improvement.steps)
        for improvement in result.improvements or ()
        if improvement.status is Status.VALID
    ]
    sign = -1 if result.maximise else 1
    return [
        (
            time_s,
            PlanCost(True, steps or 0, result.planner)  # noqa: FBT003 -- a tuple
            if cost is None
            else PlanCost(False, sign * cost, result.planner, sign < 0),  # noqa: FBT003
        )
        for time_s, cost, steps in found or [(result.wall_s, result.cost, result.steps)]
    ]


def time_limit(result: RunResult) -> float | None:
    """Return the wall-clock limit of a run in seconds, or None if it had none."""
    limit = result.limits.get("time_s")
    return None if limit is None else float(limit)


def satisficing_score(result: RunResult, best: PlanCost | None) -> Fraction:
    """Return C*/C, from 0 to 1: the quality score of the satisficing tracks of IPC 2008 to 2018.

    It is C/C* if the metric is maximised.

    Args:
        result: a run; its score is 0 unless it is solved.
        best: C*, the cost of the best known plan for the instance. A plan of that cost scores 1,
            even if the cost is 0.
    """
    return quality(plan_cost(result), best) if result.solved else Fraction(0)


def quality(cost: PlanCost | None, best: PlanCost | None) -> Fraction:
    """Return C*/C of a plan; see `satisficing_score`."""
    if cost is None or best is None:
        return Fraction(0)
    if cost.rank <= best.rank:
        return Fraction(1)
    # A negative cost has no ratio: any plan worse than the best then scores 0.
    low, high = sorted((cost.value, best.value))
    return Fraction(max(low, 0), high) if high > 0 else Fraction(0)


def agile_score(result: RunResult) -> float | None:
    """Return the score of the agile track of IPC 2018, from 0 to 1.

    With T seconds until the first valid plan and a limit of L: 1 if T <= 1, else
    1 - log T / log L, and 0 if the run is not solved within L. Return None if a limit is required
    and there is none.
    """
    if not result.solved:
        return 0.0
    valid = (
        improvement
        for improvement in result.improvements or ()
        if improvement.status is Status.VALID
    )
    first_s, limit = min((each.time_s for each in valid), default=result.wall_s), time_limit(result)
    if limit is not None and first_s > limit:
        return 0.0
    if first_s <= 1:
        return 1.0
    # The limit is at least `first_s`, which is above 1: its logarithm is not 0.
    return None if limit is None else 1 - math.log(first_s) / math.log(limit)


def par_s(entry: Entry, penalty: int = 2) -> float | None:
    """Return the PAR score of a planned run, in seconds: PAR-2, as in the SAT competitions.

    This is the wall-clock time if the run is decided, else the limit times the penalty, or None
    without a limit.
    """
    if isinstance(entry, RunResult) and entry.decided:
        return entry.wall_s
    limit = time_limit(entry) if isinstance(entry, RunResult) else entry.time_s
    return None if limit is None else penalty * limit


InstanceKey = tuple[str, str]
"""An instance: its domain and its id."""
Part = Literal[
    "names",
    "counts",
    "unsolvable",
    "coverage",
    "scores",
    "cats",
    "common",
    "time",
    "repeated",
    "model",
]
"""A group of columns; each table has some of them."""
Value = TypeVar("Value")

_COLUMN: Final = "column"


Entry = RunResult | MissingRun
"""A planned run, made or not."""


class Planned(NamedTuple, Generic[Value]):
    """The planned runs of a planner on an instance: one, or several if they are repeated."""

    planner: str
    instance: InstanceKey
    size: int
    results: list[Value]
    """The runs that were made."""
    missing: list[MissingRun]

    @property
    def planned(self) -> int:
        """The number of planned runs."""
        return len(self.results) + len(self.missing)

    def solved_share(self: Repetitions) -> Number:
        """Return the share of the runs that are solved, or whose claims are confirmed."""
        count = sum(run.decided for run in self.results)
        return count if self.planned <= 1 else Fraction(count, self.planned)

    def known(
        self: Repetitions, value: Callable[[RunResult], Any], *, reverse: bool = False
    ) -> list[Any]:
        """Return the values of the decided runs that have one, in ascending or reverse order."""
        found = (value(run) for run in self.results if run.decided)
        return sorted((each for each in found if each is not None), reverse=reverse)

    def mean(self: Repetitions, value: Callable[[RunResult], Any]) -> Any:
        """Return the mean of these values, exact unless they are floats; None without any."""
        return average(self.known(value))


Repetitions = Planned[RunResult]


def maximised(*runs: Repetitions) -> bool:
    """Return whether a higher cost is better on an instance, according to any of its runs."""
    return any(run.maximise for each in runs for run in each.results)


def average(values: Sequence[Any]) -> Any:
    """Return the mean, exact unless a value is a float; None without values."""
    if len(values) < 2:
        return values[0] if values else None
    total = sum(values)
    return total / len(values) if isinstance(total, float) else Fraction(total) / len(values)


def repetitions(entries: Iterable[Entry]) -> Iterator[Repetitions]:
    """Yield runs by planner and instance; those of an instance follow each other."""
    for (planner, *instance), group in groupby(entries, lambda e: (e.planner, e.domain, e.id)):
        runs = list(group)
        made = [run for run in runs if isinstance(run, RunResult)]
        missing = [run for run in runs if isinstance(run, MissingRun)]
        yield Repetitions(planner, (instance[0], instance[1]), runs[0].size, made, missing)


@dataclass(eq=False, slots=True)
class Kind:
    """What runs have in common that differ in instance, plan and measurements only.

    There are few kinds, so that what depends on nothing else is computed once for many runs.
    """

    domain: str
    shares: Mapping[str, Number]
    """Of each name in `SHARES`, the share of these runs with that property: 0 or 1, or
    between them for the repetitions on an instance."""
    run: Any = None
    """The first run of this kind; None for repetitions."""


@dataclass(frozen=True)
class PlannerRuns:
    """The runs of one planner on a group of instances, which a row summarises."""

    planner: str
    domain: str
    size: int | None
    run_values: Mapping[str, Sequence[Any]]
    """The values of all instances and planners, as `VALUES` names them."""
    instances: Sequence[int]
    """The places of these instances in `run_values`."""
    shared: Sequence[int]
    """Those of them that every planner solved in each repetition."""

    @property
    def common(self) -> PlannerRuns:
        """The runs on the instances that every planner solved."""
        return replace(self, instances=self.shared)

    def values(self, name: str) -> list[Any]:
        """Return a value of each instance."""
        values = [*map(self.run_values[name].__getitem__, self.instances)]
        if name not in FLOATS:
            return values
        return [None if math.isnan(value) else value for value in values]

    def total(self, name: str) -> Fraction:
        """Return the exact sum of a share over the instances."""
        counts = ((kind.shares[name], count) for kind, count in self._kinds.items())
        return sum((Fraction(share) * count for share, count in counts), Fraction())

    @cached_property
    def _kinds(self) -> Counter[Kind]:
        return Counter(self.values("kind"))

    def mean_cost(self) -> Fraction | None:
        """Return the mean; None over several domains, whose costs are not comparable."""
        is_one = len({kind.domain for kind in self._kinds if kind.shares["solved"]}) == 1
        return average(known(self.values("cost"))) if is_one else None

    def mean_time(self) -> float | None:
        """Return the mean of the solved instances."""
        return fmean(times) if (times := known(self.values("time_s"))) else None

    def time_spread(self) -> float | None:
        """Return the mean of the solved instances; a single run has none."""
        both = zip(self.values("kind"), self.values("time_spread"), strict=True)
        # The column has the time of a single run, which only tells that it is solved.
        spreads = [0.0 if kind.run else each for kind, each in both if each is not None]
        return fmean(spreads) if spreads else None

    def optimality(self) -> Fraction | None:
        """Return the mean over all instances; None if a run has no optimal cost."""
        values = self.values("optimality")
        is_known = None not in values and self.total("made")
        return sum(values, Fraction()) / len(values) if is_known else None


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
    instances: int = column("instances", "counts", lambda runs: len(runs.instances))
    """Number of planned instances. An instance with several repetitions counts in all columns by
    the mean over them; a planned run that was not made counts as not solved."""
    not_run: Fraction = column(
        "not run", "counts", lambda runs: len(runs.instances) - runs.total("made")
    )
    """Number of instances whose runs were not made yet."""
    claimed: Fraction = column("claimed solved", "counts", lambda runs: runs.total("claimed"))
    """Number of instances for which the planner claims a plan."""
    validated: Fraction = column("validated", "counts", lambda runs: runs.total("solved"))
    """Number of instances with a valid plan, within the budget if there is one."""
    claimed_unsolvable: Fraction = column(
        "claimed unsolvable", "unsolvable", lambda runs: runs.total("claims_unsolvable")
    )
    """Number of instances of which the planner claims that there is no plan."""
    confirmed: Fraction = column("confirmed", "unsolvable", lambda runs: runs.total("confirmed"))
    """Number of these claims that are confirmed."""
    mean_cost: Fraction | None = column("mean cost", "counts", lambda runs: runs.mean_cost(), 2)
    """Exact mean over the validated plans; None over several domains, whose costs are not
    comparable."""
    mean_time_s: float | None = column("mean time (s)", "counts", lambda runs: runs.mean_time(), 2)
    """Mean wall-clock seconds over the validated plans."""
    par2_s: float | None = column(
        "PAR-2 (s)", "scores", lambda runs: _mean(runs.values("par2_s")), 2
    )
    """Mean over all instances; see `par_s`."""
    ipc_sat: float = column("IPC sat", "scores", lambda runs: math.fsum(runs.values("ipc_sat")), 2)
    """Sum over all instances; see `satisficing_score`."""
    ipc_agile: float | None = column(
        "IPC agile", "scores", lambda runs: _sum(runs.values("ipc_agile")), 2
    )
    """Sum over all instances; see `agile_score`."""
    common: int = column("common", "common", lambda runs: len(runs.shared))
    """Number of these instances that every planner of the domain solved."""
    common_mean_cost: Fraction | None = column(
        "mean cost (common)", "common", lambda runs: runs.common.mean_cost(), 2
    )
    """As `mean_cost`, over the common instances; use this to compare planners."""
    common_mean_time_s: float | None = column(
        "mean time (common, s)", "common", lambda runs: runs.common.mean_time(), 2
    )
    common_mean_expanded: Fraction | None = column(
        "mean expansions (common)",
        "common",
        lambda runs: average(known(runs.common.values("expanded"))),
        1,
    )
    """Mean number of states that the planner expanded, of those common instances for which it
    printed one."""
    common_mean_evaluated: Fraction | None = column(
        "mean evaluations (common)",
        "common",
        lambda runs: average(known(runs.common.values("evaluated"))),
        1,
    )
    """Likewise, of the states that it evaluated."""
    time_spread_s: float | None = column(
        "time spread (s)", "repeated", lambda runs: runs.time_spread(), 2
    )
    """Mean over the validated instances of the longest less the shortest time of repetitions."""
    par10_s: float | None = column(
        "PAR-10 (s)", "common", lambda runs: _mean(runs.values("par10_s")), 2
    )
    """As `par2_s`, with ten times the limit."""
    coverage: Fraction = column(
        "coverage (%)",
        "coverage",
        lambda runs: 100 * runs.total("decided") / len(runs.instances),
        1,
    )
    """Validated instances and confirmed claims in percent."""
    optimality: Fraction | None = column("optimality", "cats", lambda runs: runs.optimality(), 3)
    """Mean of `metrics.optimality` over all instances; None if a run has no optimal cost."""
    efficiency: Fraction | None = column(
        "efficiency", "cats", lambda runs: average(known(runs.values("efficiency"))), 3
    )
    """Mean of `metrics.efficiency` over the validated plans with an optimal cost."""
    judged_continuously: Fraction = column(
        "judged continuously", "time", lambda runs: runs.total("judged_continuously")
    )
    """Number of instances whose plans, in steps of time, are also judged in continuous time."""
    valid_continuously: Fraction = column(
        "valid continuously", "time", lambda runs: runs.total("valid_continuously")
    )
    """Number of these instances with plans that are valid in both meanings."""
    calls: int | None = column("calls", "model", lambda runs: known_sum(runs.values("calls")))
    """Answers of a language model in all runs; this and the following are None for planners."""
    prompt_tokens: int | None = column(
        "prompt tokens", "model", lambda runs: known_sum(runs.values("prompt_tokens"))
    )
    answer_tokens: int | None = column(
        "answer tokens", "model", lambda runs: known_sum(runs.values("answer_tokens"))
    )

    def to_json(self) -> dict[str, Any]:
        """Return the attributes by name; fractions with floats beside them, as ``NAME_float``."""
        found, exact = dict[str, Any](), exact_columns()
        for name in columns():
            value = getattr(self, name)
            found |= number_fields(name, value) if name in exact else {name: value}
        return found


def columns() -> dict[str, Column]:
    """Return the columns by attribute of `Row`, in the order of the lines of JSON."""
    return {attribute.name: attribute.metadata[_COLUMN] for attribute in fields(Row)}


def exact_columns() -> frozenset[str]:
    """Return the attributes of `Row` that are fractions."""
    hints = get_type_hints(Row).items()
    return frozenset(name for name, hint in hints if Fraction in (hint, *get_args(hint)))


def make_row(runs: PlannerRuns) -> Row:
    """Summarise the runs of one planner on one or more instances."""
    return Row(**{name: each.value(runs) for name, each in columns().items()})


def instance_key(entry: Entry) -> InstanceKey:
    """Return the instance of a run."""
    # One object for each name, since a report has many keys.
    return intern(entry.domain), intern(entry.id)


def mean_par_s(each: Repetitions, penalty: int = 2) -> float | None:
    """Return the PAR score of an instance; a missing run counts as not solved."""
    entries: list[Entry] = [*each.results, *each.missing]
    return _mean(par_s(entry, penalty) for entry in entries)


def _optimality(run: RunResult) -> Fraction | None:
    """Return the score of a run, which is 0 if it is not solved; None without an optimal cost."""
    if run.optimal_cost is None:
        return None
    return optimality(run.cost if run.solved else None, Fraction(run.optimal_cost))


def _efficiency(run: RunResult) -> Fraction | None:
    has_score = run.solved and run.optimal_cost is not None and run.expanded is not None
    return efficiency(run.expanded or 0) if has_score else None


SHARES: Final[dict[str, Callable[[RunResult], object]]] = {
    "made": lambda _: True,
    "claimed": attrgetter("claimed"),
    "solved": attrgetter("solved"),
    "claims_unsolvable": attrgetter("claims_unsolvable"),
    "confirmed": attrgetter("confirmed_by"),
    "decided": attrgetter("decided"),
    "judged_continuously": attrgetter("continuous"),
    "valid_continuously": lambda run: run.solved and run.continuous is Status.VALID,
}
"""The properties of runs that rows count. They depend on the kind of a run only."""


class RunValue(NamedTuple):
    """How a value of a planner on an instance is computed, which rows sum up."""

    of_run: Callable[[RunResult], Any]
    """Returns the value if the run is the only planned one."""
    of_several: Callable[[list[Any], Sequence[MissingRun]], Any]
    """Returns the value of repetitions, given the values of those that were made and the missing
    ones: the mean over those that have one, if it is not a count."""


def _average(value: Callable[[RunResult], Any]) -> RunValue:
    return RunValue(value, lambda values, _: average(sorted(known(values))))


def _decided(name: str) -> RunValue:
    value = attrgetter(name)
    return _average(lambda run: value(run) if run.decided else None)


def _par(penalty: int) -> RunValue:
    return RunValue(
        lambda run: par_s(run, penalty),
        lambda values, missing: _mean([*values, *(par_s(each, penalty) for each in missing)]),
    )


def _count(name: str) -> RunValue:
    return RunValue(attrgetter(name), lambda values, _: known_sum(values))


def _mean_or_nothing(values: list[Any], missing: Sequence[MissingRun]) -> float | None:
    """Return the mean of values, where a missing run counts 0."""
    return _mean([*values, *([0] * len(missing))])


FLOATS: Final = frozenset({"time_s", "time_spread", "par2_s", "par10_s", "ipc_sat", "ipc_agile"})
"""The values that take less memory as an array, with NaN for None."""
PLACES: Final = frozenset({"instance", "solvers"})
"""What is a number, and less memory as an array, too."""
VALUES: Final[dict[str, RunValue]] = {
    "cost": _decided("cost"),
    "time_s": _average(lambda run: run.wall_s if run.solved else None),
    "par2_s": _par(2),
    "par10_s": _par(10),
    "expanded": _decided("expanded"),
    "evaluated": _decided("evaluated"),
    "time_spread": RunValue(
        lambda run: run.wall_s if run.solved else None,
        lambda values, _: max(times) - min(times) if (times := known(values)) else None,
    ),
    "plan": RunValue(plan_cost, lambda _, __: None),
    "claimed_cost": RunValue(attrgetter("cost"), lambda _, __: None),
    "size": RunValue(attrgetter("size"), lambda _, __: None),
    # These are set when the other runs on the instance are known.
    "instance": RunValue(lambda _: 0, lambda _, __: 0),
    "solvers": RunValue(lambda _: 0, lambda _, __: 0),
    "ipc_sat": RunValue(lambda _: 0.0, _mean_or_nothing),
    "ipc_agile": RunValue(agile_score, _mean_or_nothing),
    "optimality": RunValue(
        _optimality,
        lambda values, missing: (
            None if None in values else sum(values, Fraction()) / len([*values, *missing])
        ),
    ),
    "efficiency": _average(_efficiency),
    "calls": _count("calls"),
    "prompt_tokens": _count("prompt_tokens"),
    "answer_tokens": _count("answer_tokens"),
}
"""The values that rows sum up, by name, and what these are computed from."""


def _sum(values: Iterable[Fraction | float | None]) -> float | None:
    """Return the sum, independent of the order, or None if a value is unknown."""
    found = list(values)
    known = [value for value in found if value is not None]
    return math.fsum(known) if len(known) == len(found) else None


def _mean(values: Iterable[Fraction | float | None]) -> float | None:
    found = list(values)
    total = _sum(found)
    return None if total is None else total / len(found)
