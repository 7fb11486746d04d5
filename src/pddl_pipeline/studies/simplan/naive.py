"""Table 2 of SimPlan: the naive baselines, and SimPlan's search with rewards without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.scoring.intervals import Estimate, wilson
from pddl_pipeline.studies.simplan.naive_trials import (
    ONE_STEP,
    READINGS,
    Method,
    Reading,
    Trial,
    fraction_solved,
    greedy_trials,
    trials,
)
from pddl_pipeline.studies.simplan.test_sets import (
    IN_THE_PAPER,
    SIMPLE,
    TEST_SETS,
    TestSet,
)
from pddl_pipeline.studies.study import Study
from pddl_pipeline.studies.study_result import (
    Chart,
    Comparison,
    NamedTable,
    Point,
    Series,
    StudyResult,
)
from pddl_pipeline.studies.workbench import Workbench
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

_RANDOM: Final = "random"
_GOALS: Final = "goal-count"
_PAPER: Final = {
    _RANDOM: (0.33, 0.0, 0.03, 0.0, 0.20, 0.0, 0.13, 0.0, 0.16, 0.22),
    _GOALS: (0.25, 0.0, 0.63, 1.0, 0.76, 0.96, 0.43, 0.0, 0.16, 0.22),
}
"""The fractions solved (Table 2), in the order of `TEST_SETS`."""
_TRAINED: Final = (1.0, 0.56, 1.0, 1.0, 1.0, 1.0, 1.0, 0.12, 1.0, 0.86)
"""The fractions that SimPlan solves with its trained model."""
_BUILT_IN: Final = ("goal-count", "uniform")
_Found = Mapping[TestSet, Sequence[Trial]]

_MATCHING: Final = (
    "A fraction is matched where its 95 % interval and Wilson's interval of the paper's fraction "
    "(of 30 simple or 50 complex instances) have a value in common. Few instances match easily."
)
_COUNTING: Final = (
    "Appendix E.2 counts each call that predicts the next action, here each state that is "
    "expanded. The table of readings shows what the same runs would solve under other counts; "
    "ties of the best-first searches go to the state that was generated first, which the paper "
    "does not tell."
)
_ONE_STEP: Final = (
    "One step ahead, a reading of ours: a walk that always takes one of the steps after which most "
    "goals hold, and keeps no queue. Apart: mean absolute difference from the paper's row, for one "
    "step ahead from that of goal-count."
)


def _run(bench: Workbench) -> StudyResult:
    limits = bench.limits(quick_s=60, paper_s=600), bench.limits(quick_s=8, paper_s=300)
    seeds = range(bench.pick(quick=2, paper=5))
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
        f"{limits[1].time_s:g} s a run (the paper: 300 s); random with {len(seeds)} seeds.",
        comparisons=(
            *(_comparison(name, number, found) for name in (_RANDOM, _GOALS)
              for number in range(len(TEST_SETS))),
            _search_compared(found),
        ),
        tables=(
            NamedTable("Fraction of instances solved", _table(found, names)),
            NamedTable("Fraction solved when predictions are counted in other ways",
                       _reading_table(found)),
        ),
        charts=(_chart(_RANDOM, [_RANDOM], found), _chart(_GOALS, [_GOALS, ONE_STEP], found)),
        notes=(_MATCHING, _COUNTING, _ONE_STEP),
        unexplained=sum(trial.unexplained for of_set in found.values() for trial in of_set),
    )  # fmt: skip


def _trials(
    bench: Workbench, test_set: TestSet, methods: Sequence[Method], limits: tuple[Limits, Limits]
) -> list[Trial]:
    instances = test_set.instances(bench, quick=_quick(test_set))
    found = trials(bench, test_set.store, instances, methods, limits)
    seeds = range(len(methods[0].planners))
    return [*found, *greedy_trials(instances, found, seeds, limits[1].time_s)]


def _quick(test_set: TestSet) -> int:
    return 6 if test_set.configuration == SIMPLE else 3


def _comparison(name: str, number: int, found: _Found) -> Comparison:
    test_set = TEST_SETS[number]
    ours, paper = fraction_solved(found[test_set], name, READINGS[0]), _PAPER[name][number]
    what = f"{test_set.label}: fraction solved by {name}"
    if ours is None:
        return Comparison(what, f"{paper:.2f}", NO_NUMBER, "not compared", "LAMA solved none")
    of_paper = IN_THE_PAPER[test_set.configuration]
    low, high = wilson(round(paper * of_paper), of_paper)
    meets = ours.interval.low <= high and low <= ours.interval.high
    late = sum(trial.out_of_time for trial in found[test_set] if trial.method == name)
    why = f"n={ours.instances}" + (f"; {late} runs ended by the clock" if late else "")
    return Comparison(what, f"{paper:.2f}", _text(ours), "matched" if meets else "differs", why)


def _search_compared(found: _Found) -> Comparison:
    apart = [
        _apart(_solved(name, READINGS[0], found), _PAPER[_GOALS]) for name in (_GOALS, ONE_STEP)
    ]
    return Comparison(
        "what the row of the goals-completed heuristic is",
        "greedy best-first search (section 5.2)",
        f"mean difference from the row: best-first search {rounded(apart[0])}, one step ahead "
        f"{rounded(apart[1])}",
        "matched" if (apart[0] or 0) <= (apart[1] or 0) else "differs",
        "always taking a step after which most goals hold, by chance among equals and without a "
        "queue, comes nearer; it is the random baseline in Minigrid, which has one goal and the "
        "same two numbers in both rows",
    )


def _text(found: Estimate | None) -> str:
    if found is None:
        return NO_NUMBER
    return f"{rounded(found.value)} [{rounded(found.interval.low)}, {rounded(found.interval.high)}]"


def _table(found: _Found, names: Sequence[str]) -> TextTable:
    rows = []
    for number, (test_set, of_set) in enumerate(found.items()):
        cells = [_text(fraction_solved(of_set, name, READINGS[0])) for name in names]
        paper = [f"{_PAPER[name][number]:.2f}" for name in (_RANDOM, _GOALS)]
        count = len({trial.instance for trial in of_set})
        rows.append((test_set.label, str(count), paper[0], cells[0], paper[1], *cells[1:],
                     f"{_TRAINED[number]:.2f}"))  # fmt: skip
    headings = ("set", "n", "random: paper", "ours", "goal-count: paper", "ours", *names[2:],
                "SimPlan: paper")  # fmt: skip
    return TextTable(headings, tuple(rows), names=1)


def _reading_table(found: _Found) -> TextTable:
    headings = ("baseline", "predictions", *(each.label for each in found), "apart")
    rows = []
    for name in (_RANDOM, _GOALS, ONE_STEP):
        for reading in READINGS:
            ours = _solved(name, reading, found)
            cells = (rounded(each.value) if each is not None else NO_NUMBER for each in ours)
            apart = _apart(ours, _PAPER.get(name, _PAPER[_GOALS]))
            rows.append((name, reading.name, *cells, rounded(apart)))
    return TextTable(headings, tuple(rows), names=2)


def _solved(name: str, reading: Reading, found: _Found) -> list[Estimate | None]:
    return [fraction_solved(of_set, name, reading) for of_set in found.values()]


def _apart(ours: Sequence[Estimate | None], paper: Sequence[float]) -> float | None:
    """Return the mean absolute difference; None without estimates."""
    pairs = zip(ours, paper, strict=True)
    apart = [abs(float(each.value) - of_paper) for each, of_paper in pairs if each is not None]
    return fmean(apart) if apart else None


def _chart(name: str, methods: Sequence[str], found: _Found) -> Chart:
    paper = tuple(Point(each.tick, x) for each, x in zip(found, _PAPER[name], strict=True))
    ours = [
        Series(f"{method}, 95 % interval", tuple(
            Point(each.tick, float(solved.value), *solved.interval)
            for each, of_set in found.items()
            if (solved := fraction_solved(of_set, method, READINGS[0])) is not None
        ))
        for method in methods
    ]  # fmt: skip
    sizes = ", ".join(
        f"{key[0].upper()}: {key}, up to n={_most(found, key)} (paper: {number})"
        for key, number in IN_THE_PAPER.items()
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
    Study("simplan-table2", "Table 2: naive baselines, and SimPlan's search without a model", _run),
)
