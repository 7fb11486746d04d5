"""Table 2 of SimPlan: the naive baselines, and SimPlan's search with rewards without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import fmean, stdev
from typing import Final

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.comparison import Comparison, Quantity, estimate
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Evidence, Same
from pddl_pipeline.papers.simplan.naive_trials import (
    ONE_STEP,
    READINGS,
    Method,
    Reading,
    Trial,
    fraction_solved,
    fractions,
    greedy_trials,
    trials,
)
from pddl_pipeline.papers.simplan.test_sets import (
    CARDS,
    COMPLEX,
    MARGINS,
    PUBLISHED,
    SIMPLE,
    TEST_SETS,
    TestSet,
)
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import Chart, NamedTable, Point, Series, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.statistics.intervals import Estimate, wilson
from pddl_pipeline.statistics.mean_difference import MeanDifference
from pddl_pipeline.statistics.share_differences import ShareDifference
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

_RANDOM: Final = "random"
_GOALS: Final = "goal-count"
_BUILT_IN: Final = ("goal-count", "uniform")
_Found = Mapping[TestSet, Sequence[Trial]]

_MARGIN: Final = (
    f"A fraction agrees if two one-sided tests show that it is within {MARGINS.share:g} of the "
    "paper's (of 30 simple or 50 complex instances). The instance is the unit: seeds of one "
    "instance are averaged first."
)
_COUNTING: Final = (
    "Appendix E.2 counts each call that predicts the next action; here, each expanded state "
    "counts. The table of other counts shows what the same runs would solve under them. Best-first "
    "searches break ties in favour of the state that was generated first; the paper does not "
    "state its rule."
)
_ONE_STEP: Final = (
    "'One step ahead' is another interpretation: a walk that always takes one of the steps after "
    "which most goals hold, and keeps no queue. 'Apart' is the mean absolute difference from the "
    "paper's row; for 'one step ahead', from the row of goal-count."
)


def _run(bench: Workbench) -> StudyResult:
    limits = bench.limits(quick_s=60, paper_s=600), bench.limits(quick_s=8, paper_s=300)
    seeds = range(bench.pick(quick=2, paper=3))
    methods = (
        Method(_RANDOM, tuple(f"random:seed={seed}" for seed in seeds)),
        Method(_GOALS, (f"goal-count:seconds={limits[1].time_s:g}",)),
        *(Method(f"simplan, {reward}", (f"simplan:reward={reward}",)) for reward in _BUILT_IN),
    )
    found = {each: _trials(bench, each, methods, limits) for each in TEST_SETS}
    names = [_RANDOM, _GOALS, ONE_STEP, *(method.name for method in methods[2:])]
    return StudyResult(
        conditions="Instances of our generators' presets (test splits) that lama-first solves in "
        f"{limits[0].time_s:g} s; 16 times as many predictions as it expands states, and "
        f"{limits[1].time_s:g} s per run (the paper: 300 s); random with {len(seeds)} seeds.",
        comparisons=(
            *(_comparison(name, each, of_set, limits[1].time_s) for name in (_RANDOM, _GOALS)
              for each, of_set in found.items()),
            _search_compared(found),
        ),
        tables=(
            NamedTable("Fraction of instances solved", _table(found, names)),
            NamedTable("Fraction solved when predictions are counted in other ways",
                       _reading_table(found)),
        ),
        charts=(_chart(_RANDOM, [_RANDOM], found), _chart(_GOALS, [_GOALS, ONE_STEP], found)),
        notes=(_MARGIN, _COUNTING, _ONE_STEP),
        unexplained=sum(trial.unexplained for of_set in found.values() for trial in of_set),
    )  # fmt: skip


def _trials(
    bench: Workbench, test_set: TestSet, methods: Sequence[Method], limits: tuple[Limits, Limits]
) -> list[Trial]:
    instances = test_set.instances(bench, quick=_quick(test_set), slow=6)
    found = trials(bench, test_set.store, instances, methods, limits)
    seeds = range(len(methods[0].planners))
    return [*found, *greedy_trials(instances, found, seeds, limits[1].time_s)]


def _quick(test_set: TestSet) -> int:
    return 6 if test_set.configuration == SIMPLE else 3


def _of_paper(name: str, test_set: TestSet) -> float:
    return test_set.random if name == _RANDOM else test_set.goal_count


def _comparison(name: str, test_set: TestSet, found: Sequence[Trial], time_s: float) -> Comparison:
    ours, paper = fraction_solved(found, name, READINGS[0]), _of_paper(name, test_set)
    late = sum(trial.out_of_time for trial in found if trial.method == name)
    limit = PUBLISHED.instances.time_limit_s
    reasons = [f"n={ours.instances}" if ours else "LAMA solved none"]
    is_cut = late > 0 and time_s < limit
    if late:
        reasons.append(f"{late} runs reached the time limit")
    if is_cut:
        reasons.append(f"{time_s:g} s cannot be compared with {limit} s")
    values = fractions(found, name, READINGS[0])
    return Comparison(
        what=f"{test_set.label}: fraction solved by {name}",
        paper=(estimate(paper, wilson(round(paper * test_set.size), test_set.size)),),
        ours=(estimate(float(ours.value), ours.interval),) if ours else (),
        decision=decide(None if is_cut else _same_fraction(values, paper, test_set.size)),
        remark="; ".join(reasons),
    )


def _same_fraction(values: Sequence[Fraction], paper: float, number: int) -> Evidence:
    """Return the evidence on whether a mean fraction equals the paper's share of instances."""
    if not values:
        return None
    solved = round(paper * number)
    if set(values) <= {0, 1}:
        return Same(ShareDifference(int(sum(values)), len(values), solved, number), MARGINS.share)
    if len(values) < 2:
        return None
    near = (solved + 1) / (number + 2)  # a share of 0 or 1 has a spread, too
    difference = MeanDifference(
        float(fmean(values)), stdev(map(float, values)), len(values), paper,
        (near * (1 - near)) ** 0.5, number,
    )  # fmt: skip
    return Same(difference, MARGINS.share) if difference.deviation else None


def _search_compared(found: _Found) -> Comparison:
    return Comparison(
        what="method behind the row of the goals-completed heuristic: mean difference from the row",
        said="greedy best-first search (section 5.2)",
        ours=tuple(
            Quantity(_apart(_GOALS, _solved(name, READINGS[0], found), found), label)
            for name, label in ((_GOALS, "best-first search"), (ONE_STEP, ONE_STEP))
        ),
        remark="the walk was chosen after the paper's row was seen; in Minigrid, which has one "
        "goal, it is the random baseline, and the paper has the same two numbers in both rows",
        is_fit=True,
    )


def _text(found: Estimate | None) -> str:
    if found is None:
        return NO_NUMBER
    return f"{rounded(found.value)} [{rounded(found.interval.low)}, {rounded(found.interval.high)}]"


def _table(found: _Found, names: Sequence[str]) -> TextTable:
    rows = []
    for test_set, of_set in found.items():
        cells = [_text(fraction_solved(of_set, name, READINGS[0])) for name in names]
        count = len({trial.instance for trial in of_set})
        rows.append(
            (
                test_set.label,
                str(count),
                rounded(test_set.random),
                cells[0],
                rounded(test_set.goal_count),
                *cells[1:],
                rounded(test_set.simplan),
            )
        )
    headings = ("set", "n", "random: paper", "random: ours", "goal-count: paper",
                "goal-count: ours", *names[2:], "SimPlan: paper")  # fmt: skip
    return TextTable(headings, tuple(rows), names=1)


def _reading_table(found: _Found) -> TextTable:
    headings = ("baseline", "predictions", *(each.label for each in found), "apart")
    rows = []
    for name in (_RANDOM, _GOALS, ONE_STEP):
        for reading in READINGS:
            ours = _solved(name, reading, found)
            cells = (rounded(each.value) if each is not None else NO_NUMBER for each in ours)
            apart = _apart(name, ours, found)
            rows.append((name, reading.name, *cells, rounded(apart)))
    return TextTable(headings, tuple(rows), names=2)


def _solved(name: str, reading: Reading, found: _Found) -> list[Estimate | None]:
    return [fraction_solved(of_set, name, reading) for of_set in found.values()]


def _apart(name: str, ours: Sequence[Estimate | None], found: _Found) -> float | None:
    """Return the mean absolute difference from the paper's row; None without estimates."""
    apart = [
        abs(float(each.value) - _of_paper(name, test_set))
        for each, test_set in zip(ours, found, strict=True)
        if each is not None
    ]
    return fmean(apart) if apart else None


def _chart(name: str, methods: Sequence[str], found: _Found) -> Chart:
    paper = tuple(Point(each.tick, _of_paper(name, each)) for each in found)
    ours = [
        Series(f"{method}, 95 % interval", tuple(
            Point(each.tick, float(solved.value), *solved.interval)
            for each, of_set in found.items()
            if (solved := fraction_solved(of_set, method, READINGS[0])) is not None
        ))
        for method in methods
    ]  # fmt: skip
    sizes = ", ".join(
        f"{key[0].upper()}: {key}, up to n={_most(found, key)} "
        f"(paper: {getattr(PUBLISHED.instances, key)})"
        for key in (SIMPLE, COMPLEX)
    )
    return Chart(
        f"Fraction solved by {name}", sizes, "fraction solved",
        (Series("paper (Table 2)", paper, from_paper=True), *ours), bottom=0, top=1.05,
    )  # fmt: skip


def _most(found: _Found, configuration: str) -> int:
    """Return the number of instances of the largest test set of a configuration."""
    return max(
        (len({trial.instance for trial in of_set}) for each, of_set in found.items()
         if each.configuration == configuration), default=0,
    )  # fmt: skip


STUDIES: Final = (
    Study(
        "simplan-table2",
        "Table 2: naive baselines, and SimPlan's search without a model",
        _run,
        CARDS,
    ),
)
