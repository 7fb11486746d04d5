"""Table 8 of SimPlan, the lengths of LAMA's plans, and the statements of section 5.1 about them."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Final

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.comparison import Comparison, Quantity
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Fact
from pddl_pipeline.papers.simplan.plan_lengths import (
    HEADINGS,
    Lengths,
    length_chart,
    lengths_of,
    mean_length_compared,
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
from pddl_pipeline.papers.study_result import Chart, NamedTable, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.tables.text_table import TextTable, rounded

_Found = Mapping[TestSet, Lengths]
_PLANNER: Final = "lama-first"
_MISFIT: Final = {
    SIMPLE: "the mean of the paper's own Table 8 is {mean}; with other weights of the domains "
    "13.5 is possible",
    COMPLEX: "Table 8 contradicts it: no domain's mean is above {most}, their mean is {mean}; "
    "their sum is {total}, so that it may be a sum that was taken for a mean",
}
_PLANS: Final = (
    "The paper names LAMA and a limit of ten minutes, but not which of LAMA's plans it kept. Here "
    "it is the first one; the last plan of anytime LAMA would be shorter."
)
_MARGIN: Final = (
    f"A mean agrees if two one-sided tests show that it is within {MARGINS.length:.0%} of the "
    "paper's. The paper states no spread: its samples (30 and 50 instances, Table 9) are assumed "
    "to have our standard deviation. If an instance is not solved, the mean is not compared."
)
_SIZES: Final = (
    "The test splits come after the training and development splits, as in the paper: since no "
    "task occurs twice, there is no task of two blocks left for the simple test set."
)
_DEPOTS: Final = (
    "Depots: the paper does not state how many depots, distributors, trucks, pallets and hoists "
    "there are. These are the generator's 2, 2, 2, 4, 4; see simplan-table8-depots for others. A "
    "complex instance may take all of ten minutes."
)


def _run(bench: Workbench) -> StudyResult:
    limits = bench.limits(quick_s=60, paper_s=600)
    runs = {each: _solved(bench, each) for each in TEST_SETS}
    found = {each: lengths_of(of_set) for each, of_set in runs.items()}
    counts = {each.configuration: lengths.runs for each, lengths in found.items()}
    return StudyResult(
        conditions=f"{_PLANNER}, {counts[SIMPLE]} simple and {counts[COMPLEX]} complex instances "
        f"of each domain from the test splits of our generators' presets, {limits.time_s:g} s "
        "each; every plan is validated.",
        comparisons=(
            *(_comparison(each, lengths) for each, lengths in found.items()),
            *(_statement(name, found) for name in (SIMPLE, COMPLEX)),
        ),
        tables=(NamedTable("Plan lengths (actions): mean with 95 % bootstrap interval, by set",
                           _table(found)),),
        charts=tuple(_chart(name, found) for name in (SIMPLE, COMPLEX)),
        notes=(_PLANS, _MARGIN, _SIZES, _DEPOTS),
        unexplained=sum(run.unexplained for of_set in runs.values() for run in of_set),
    )  # fmt: skip


def _solved(bench: Workbench, test_set: TestSet) -> list[RunResult]:
    quick = 10 if test_set.configuration == SIMPLE else 6
    instances = test_set.instances(bench, quick=quick)
    return bench.solve(test_set.store, instances, [_PLANNER], bench.limits(quick_s=60, paper_s=600))


def _comparison(test_set: TestSet, found: Lengths) -> Comparison:
    reasons = ["the paper does not state the other numbers of objects"] \
        if test_set.domain == "depots" else []  # fmt: skip
    return mean_length_compared(f"{test_set.label}: mean plan length", test_set, found,
                                "; ".join(reasons))  # fmt: skip


def _statement(configuration: str, found: _Found) -> Comparison:
    """Compare the mean of section 5.1 with that of the paper's own Table 8."""
    sets = [each for each in found if each.configuration == configuration]
    means = [mean for each in sets if (mean := found[each].mean) is not None]
    of_paper = [each.mean_length for each in TEST_SETS if each.configuration == configuration]
    stated: float = getattr(PUBLISHED.mean_lengths, configuration)
    is_near = abs(fmean(of_paper) - stated) <= MARGINS.length * stated
    return Comparison(
        what=f"section 5.1: mean plan length of {configuration} problems, beside the mean of the "
        "paper's Table 8",
        paper=(Quantity(stated), Quantity(fmean(of_paper), "Table 8, mean")),
        ours=(Quantity(fmean(means), "mean"), Quantity(sum(means), "sum"))
        if len(means) == len(of_paper)
        else (),
        decision=decide(Fact(is_near, len(of_paper))),
        unit="steps",
        remark=_MISFIT[configuration].format(
            mean=rounded(fmean(of_paper), 1), most=max(of_paper), total=rounded(sum(of_paper), 1)
        ),
    )


def _table(found: _Found) -> TextTable:
    rows = tuple(
        (each.title, each.configuration, each.objects, str(each.mean_length),
         rounded(lengths.mean, 1), *lengths.cells)
        for each, lengths in found.items()
    )  # fmt: skip
    headings = ("domain", "configuration", "objects", "paper's mean", "mean", *HEADINGS)
    return TextTable(headings, rows, names=3)


def _chart(configuration: str, found: _Found) -> Chart:
    shown = {each: x for each, x in found.items() if each.configuration == configuration}
    return length_chart(
        next(iter(shown)),
        f"Mean length of LAMA's plans, {configuration} instances",
        "domain",
        {each.title: (each.mean_length, lengths) for each, lengths in shown.items()},
    )


STUDIES: Final = (
    Study(
        "simplan-table8", "Table 8: number of objects and mean length of LAMA's plans", _run, CARDS
    ),
)
