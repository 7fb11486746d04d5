"""Table 2 of SimPlan: the naive baselines, and SimPlan's search with rewards without a model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.comparison import (
    Comparison,
    Evidence,
    Same,
    Unstated,
    decide,
    with_interval,
    within_limit,
)
from pddl_pipeline.papers.simplan.test_sets import (
    CARDS,
    MARGINS,
    PUBLISHED,
    TEST_SETS,
    TestSet,
    not_stated,
)
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.planners.baselines.search_budget import LAMA, TIMES
from pddl_pipeline.statistics.differences import (
    MeanSample,
    mean_difference,
    newcombe,
    share_difference,
)
from pddl_pipeline.statistics.intervals import Estimate, estimate, wilson
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded


class Method(NamedTuple):
    """A row of Table 2."""

    name: str
    planners: tuple[str, ...]
    """The planners' names with settings; one per seed if the method is random."""


class NaiveRun(NamedTuple):
    """One run of a baseline."""

    instance: str
    method: str
    lama: int
    """The number of states that LAMA expanded."""
    solved: bool
    calls: int
    """The number of states whose next action was requested: the paper's predictions."""

    out_of_time: bool
    unexplained: bool

    @property
    def counts(self) -> bool:
        """Whether it solved the instance within the paper's number of predictions (E.2)."""
        return self.solved and self.calls <= TIMES * self.lama


def trials(
    bench: Workbench,
    store: str,
    instances: Sequence[Instance[Any]],
    methods: Sequence[Method],
    limits: tuple[Limits, Limits],
) -> list[NaiveRun]:
    """Run baselines on the instances that LAMA solves; the paper leaves out the others.

    Args:
        bench: the workbench.
        store: the prefix of the run stores' names.
        instances: the instances of a test set.
        methods: the methods to run; each planner's name contains a colon.
        limits: the limits of LAMA and those of a baseline.
    """
    first = bench.solve(f"{store}-lama", instances, [LAMA], limits[0])
    expanded = {run.id: run.expanded for run in first if run.solved and run.expanded is not None}
    wanted = [
        (
            instance,
            [_within(planner, expanded[instance.id]) for m in methods for planner in m.planners],
        )
        for instance in instances
        if instance.id in expanded
    ]
    of_planner = {
        (each.id, _within(planner, expanded[each.id])): method.name
        for each, _ in wanted
        for method in methods
        for planner in method.planners
    }
    return [
        NaiveRun(run.id, of_planner[run.id, run.planner], expanded[run.id], run.solved,
              run.expanded or 0, run.limits["hit"] == "time", run.unexplained)
        for run in bench.solve_each(store, wanted, limits[1])
    ]  # fmt: skip


def _within(planner: str, expanded: int) -> str:
    """Return a planner's name with its limit, so that the planner need not run LAMA."""
    return f"{planner},predictions={TIMES * expanded}"


def fraction_solved(found: Iterable[NaiveRun], method: str) -> Estimate | None:
    """Return the mean over instances of the fraction of runs that solve them.

    Return None without instances.
    """
    return estimate(fractions(found, method))


def fractions(found: Iterable[NaiveRun], method: str) -> list[Fraction]:
    """Return the fraction of runs that solve each instance: the instance is the unit, not a run."""
    return [*by_instance(found, method).values()]


def by_instance(found: Iterable[NaiveRun], method: str) -> dict[str, Fraction]:
    """Return the fraction of runs that solve each instance."""
    runs: dict[str, list[bool]] = defaultdict(list)
    for trial in found:
        if trial.method == method:
            runs[trial.instance].append(trial.counts)
    return {name: Fraction(sum(every), len(every)) for name, every in runs.items()}


_RANDOM: Final = "random"
_GOALS: Final = "goal-count"
_BUILT_IN: Final = ("goal-count", "uniform")
_Found = Mapping[TestSet, Sequence[NaiveRun]]

_MARGIN: Final = (
    f"A fraction agrees if two one-sided tests show that it is within {MARGINS.share:g} of the "
    "paper's at 0.5, and closer in proportion to p (1 - p) elsewhere (of 30 simple or 50 complex "
    "instances). The instance is the unit: seeds of one "
    "instance are averaged first."
)
_COUNTING: Final = (
    "Appendix E.2 counts each call that predicts the next action; here, each expanded state "
    "counts. Best-first searches break ties in favour of the state that was generated first; the "
    "paper does not state its rule."
)


def _run(bench: Workbench) -> StudyResult:
    instances = PUBLISHED.instances
    limits = (
        bench.limits(quick_s=60, paper_s=instances.lama_limit_s),
        bench.limits(quick_s=8, paper_s=instances.time_limit_s),
    )
    seeds = range(bench.pick(quick=2, paper=3))
    methods = (
        Method(_RANDOM, tuple(f"random:seed={seed}" for seed in seeds)),
        Method(_GOALS, (f"goal-count:seconds={limits[1].time_s:g}",)),
        *(Method(f"simplan, {reward}", (f"simplan:reward={reward}",)) for reward in _BUILT_IN),
    )
    found = {
        test_set: trials(
            bench, test_set.store, test_set.instances(bench, quick=6, slow=6), methods, limits
        )
        for test_set in TEST_SETS
    }
    names = [method.name for method in methods]
    return StudyResult(
        conditions="Instances of our generators' presets (test splits) that lama-first solves in "
        f"{limits[0].time_s:g} s; 16 times as many predictions as it expands states, and "
        f"{limits[1].time_s:g} s per run (the paper: 300 s); random with {len(seeds)} seeds.",
        comparisons=tuple(
            fraction_compared(name, each, of_set, limits[1].time_s)
            for name in (_RANDOM, _GOALS)
            for each, of_set in found.items()
        ),
        tables=(NamedTable("Fraction of instances solved", _table(found, names)),),
        notes=(_MARGIN, _COUNTING),
        unexplained=sum(trial.unexplained for of_set in found.values() for trial in of_set),
    )


def fraction_compared(
    name: str, test_set: TestSet, found: Sequence[NaiveRun], time_s: float
) -> Comparison:
    """Return the comparison of the fraction that a naive baseline solves with the paper's."""
    ours = fraction_solved(found, name)
    paper = test_set.random if name == _RANDOM else test_set.goal_count
    late = sum(trial.out_of_time for trial in found if trial.method == name)
    values = fractions(found, name)
    unstated = test_set.unstated or (test_set.unstated_search if name == _GOALS else "")
    evidence = Unstated(len(values)) if unstated else _same_fraction(values, paper, test_set.size)
    number = f"n={len(values)}" if ours else "LAMA solved none"
    compared = Comparison(
        what=f"{test_set.label}: fraction solved by {name}",
        paper=(with_interval(paper, wilson(round(paper * test_set.size), test_set.size)),),
        ours=(with_interval(float(ours.value), ours.interval),) if ours else (),
        decision=decide(evidence),
        remark="; ".join(filter(None, (number, not_stated(unstated)))),
    )
    return within_limit(compared, late, time_s, PUBLISHED.instances.time_limit_s)


def _same_fraction(values: Sequence[Fraction], paper: float, number: int) -> Evidence:
    """Return the evidence on whether a mean fraction equals the paper's share of instances.

    The interval is Newcombe's also for averages over seeds, which spread less than zeros and ones:
    that of the t distribution is too narrow for few solved instances.
    """
    if not values:
        return None
    solved = round(paper * number)
    # One run an instance, or seeds that all agree: plain shares, with an exact test.
    if set(values) <= {0, 1}:
        difference = share_difference(int(sum(values)), len(values), solved, number, is_fixed=True)
        return Same(difference, MARGINS.share)
    if len(values) < 2:
        return None
    near = (solved + 1) / (number + 2)  # a share of 0 or 1 has a spread, too
    ours = MeanSample(float(fmean(values)), stdev(map(float, values)), len(values))
    paper_sample = MeanSample(paper, (near * (1 - near)) ** 0.5, number)
    if not ours.deviation:
        return None
    difference = mean_difference(ours, paper_sample, is_fixed=True)
    interval = partial(newcombe, (float(sum(values)), len(values)), (solved, number))
    shares = float(fmean(values)), paper
    return Same(replace(difference, interval=interval, shares=shares), MARGINS.share)


def _text(found: Estimate | None) -> str:
    if found is None:
        return NO_NUMBER
    return f"{rounded(found.value)} [{rounded(found.interval.low)}, {rounded(found.interval.high)}]"


def _table(found: _Found, names: Sequence[str]) -> TextTable:
    rows = []
    for test_set, of_set in found.items():
        first, *cells = (_text(fraction_solved(of_set, name)) for name in names)
        count = str(len({trial.instance for trial in of_set}))
        rows.append((test_set.label, count, rounded(test_set.random), first,
                     rounded(test_set.goal_count), *cells, rounded(test_set.simplan)))  # fmt: skip
    headings = ("set", "n", "random: paper", "random: ours", "goal-count: paper",
                "goal-count: ours", *names[2:], "SimPlan: paper")  # fmt: skip
    return TextTable(headings, tuple(rows), names=1)


STUDIES: Final = (
    Study(
        "simplan-table2",
        "Table 2: naive baselines, and SimPlan's search without a model",
        _run,
        CARDS,
    ),
)
