"""The study of the second phase transition: is it a floating-point artefact?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from pddl_pipeline.papers.countdown.transition_misses import miss_table, quantile_table
from pddl_pipeline.papers.countdown.transition_models import time_table
from pddl_pipeline.papers.countdown.transition_protocol import (
    ARMS,
    ENHSP,
    EXACT,
    PHASES,
    Case,
    is_complete,
    primary_runs,
    secondary_runs,
)
from pddl_pipeline.papers.countdown.transition_runs import continue_runs, read_cases, read_runs
from pddl_pipeline.papers.countdown.transition_sample import Sample, sample_of
from pddl_pipeline.papers.countdown.transition_summary import summary
from pddl_pipeline.papers.countdown.transition_tables import (
    cure_table,
    exact_table,
    late_table,
    overview_table,
    phase_table,
    size_table,
    target_table,
)
from pddl_pipeline.papers.stored_runs import StoredRun
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import Chart, NamedTable, Point, Series, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.tables.text_table import TextTable

_VALID: Final = "valid plan"
_FALSE: Final = "claimed plan that is not valid"
_NONE: Final = "no plan within the limit"


def _run(bench: Workbench) -> StudyResult:
    cases = read_cases()
    if bench.continue_runs:
        continue_runs(bench, cases)
    return report(cases, read_runs(cases))


def report(cases: Sequence[Case], runs: Sequence[StoredRun]) -> StudyResult:
    """Return the tables, the picture and the summary of stored runs."""
    sample = sample_of(cases, runs)
    false = sample.run_by(ENHSP).that(lambda each: each.is_false)
    groups = [
        *((phase.name, false.within(phase=phase)) for phase in PHASES),
        ("all", false),
    ]
    tables = (
        ("Plans by size", overview_table(sample)),
        ("Plans by size, with intervals", size_table(sample)),
        ("ENHSP's claims by phase", phase_table(sample)),
        ("ENHSP's claims by phase, with size 16 in the third", late_table(sample)),
        ("Exact DFS, by what ENHSP claims", exact_table(sample)),
        ("False claims", miss_table(false)),
        ("Misses of false claims", quantile_table(groups)),
        ("Other solvers on the instances that ENHSP claims", cure_table(sample)),
        ("CPU time until a plan (Kaplan-Meier)", time_table(sample)),
        ("Targets that floats represent, all instances", target_table(sample)),
        ("Versions and machines", _version_table(runs)),
    )
    return StudyResult(
        conditions=_conditions(cases, runs),
        comparisons=(),
        tables=tuple(NamedTable(caption, table) for caption, table in tables),
        charts=tuple(_charts(sample)),
        notes=summary(sample),
        unexplained=sum(run.result.unexplained for run in runs),
    )


def _conditions(cases: Sequence[Case], runs: Sequence[StoredRun]) -> str:
    known = {run.identity for run in runs}
    primary, secondary = primary_runs(cases), secondary_runs(cases, runs)
    parts = (sum(each.key in known for each in own) for own in (primary, secondary))
    of_primary, of_secondary = (
        f"{number} of {len(own)}" for number, own in zip(parts, (primary, secondary), strict=True)
    )
    state = "Complete" if is_complete(cases, runs) else "Incomplete"
    return (
        f"{state}: {of_primary} primary runs so far, and {of_secondary} secondary "
        "runs on the instances that ENHSP claims; 120 s of CPU time (300 s at size 24, 600 s at "
        "size 30) and 3.5 GiB per run."
    )


def _version_table(runs: Sequence[StoredRun]) -> TextTable:
    counts = Counter((run.machine, run.result.planner, run.result.planner_version) for run in runs)
    dates = {
        key: sorted(
            run.result.started[:10]
            for run in runs
            if (run.machine, run.result.planner, run.result.planner_version) == key
        )
        for key in counts
    }
    rows = tuple(
        (*key, dates[key][0], dates[key][-1], str(number)) for key, number in sorted(counts.items())
    )
    headings = ("machine", "planner", "version", "first run", "last run", "runs")
    return TextTable(headings, rows, names=5)


def _charts(sample: Sample) -> Iterator[Chart]:
    """Yield a chart for each solver and arm: the instances by size and by what became of them."""
    for solver in (ENHSP, EXACT):
        for arm in ARMS:
            own = sample.within(arm=arm).run_by(solver)
            if not len(own):
                continue
            rows = [own.within(size=size) for size in own.sizes]
            valid = [row.count(solver, "valid") for row in rows]
            claimed = [row.count(solver, "claimed") for row in rows]
            false = [of - own for own, of in zip(valid, claimed, strict=True)]
            none = [len(row) - of for row, of in zip(rows, claimed, strict=True)]
            bars = {_VALID: valid, _FALSE: false, _NONE: none}
            yield Chart(
                f"{solver.label}, {arm}",
                "size (numbers)",
                "instances so far",
                tuple(
                    Series(name, tuple(_bars(rows, counts)), faint=name == _NONE)
                    for name, counts in bars.items()
                    if any(counts)
                ),
                bottom=0,
                stacked=True,
            )


def _bars(rows: Sequence[Sample], counts: Sequence[int]) -> Iterator[Point]:
    for row, count in zip(rows, counts, strict=True):
        yield Point(str(row.sizes[0]), count)


STUDIES: Final = (
    Study(
        "countdown-transition",
        "Is the second phase transition a floating-point artefact? From stored runs",
        _run,
        cards=tuple(f"data/{arm}.toml" for arm in ARMS),
        is_stored=True,
    ),
)
