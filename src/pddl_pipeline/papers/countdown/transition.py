"""The study of the second phase transition: is it a floating-point artefact?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from statistics import median
from typing import Final

from pddl_pipeline.papers.countdown.accuracy import EASY_AGAIN, LARGE, SMALL, Phase
from pddl_pipeline.papers.countdown.datasets import magnitude
from pddl_pipeline.papers.countdown.transition_data import (
    ARMS,
    CHECKED,
    ENHSP,
    EXACT,
    LATE,
    PHASES,
    PRIMARY,
    RATIONAL,
    SECONDARY,
    STRICT_TOLERANCE,
    TOLERANCE,
    Case,
    Measure,
    Sample,
    Solver,
    Tried,
    continue_runs,
    exact_mcnemar,
    fits_single,
    interval_text,
    is_complete,
    primary_runs,
    read_cases,
    read_runs,
    sample_of,
    secondary_runs,
    share_text,
    store_file,
)
from pddl_pipeline.papers.countdown.zeros import kind_table
from pddl_pipeline.papers.stored_runs import StoredRun
from pddl_pipeline.papers.study import (
    Chart,
    NamedTable,
    Point,
    Series,
    Study,
    StudyResult,
    Workbench,
)
from pddl_pipeline.statistics.significance import holm
from pddl_pipeline.statistics.survival import EventCurve, event_curve
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

_LINES: Final[tuple[tuple[Solver, Measure], ...]] = (
    (ENHSP, "claimed"), (ENHSP, "valid"), (EXACT, "valid"),
)  # fmt: skip


def size_table(sample: Sample) -> TextTable:
    """Return claimed and valid plans of the primary solvers by size and arm."""
    rows, marked = [], []
    for arm in ARMS:
        for solver in PRIMARY:
            own = sample.within(arm=arm).run_by(solver)
            for size in own.sizes:
                row = own.within(size=size)
                rows.append((arm, solver.label, str(size), *_row(row, solver)))
                marked.append(row.count(solver, "claimed") > row.count(solver, "valid"))
    headings = (
        "arm", "solver", "size", "claimed", "claimed, 95 %", "valid", "valid, 95 %",
        "CPU s, median", "expanded, median", "without a plan",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2, marked=tuple(marked))


def _row(row: Sample, solver: Solver) -> Iterator[str]:
    for measure in ("claimed", "valid"):
        count = row.count(solver, measure)
        yield share_text(count, len(row))
        yield interval_text(count, len(row))
    results = [each.runs[solver].result for each in row.tried]
    yield rounded(median(result.cpu_s for result in results), 0)
    expanded = [result.expanded for result in results if result.expanded is not None]
    yield rounded(median(expanded), 0) if expanded else NO_NUMBER
    failures = Counter(str(result.outcome) for result in results if not result.claimed)
    yield ", ".join(f"{count} {name}" for name, count in failures.items()) or NO_NUMBER


def overview_table(sample: Sample) -> TextTable:
    """Return the numbers of claimed and valid plans with a row for each size."""
    columns = [(arm, solver, measure) for arm in ARMS for solver, measure in _LINES]
    rows = []
    for size in sample.run_by(ENHSP).sizes:
        cells = []
        for arm, solver, measure in columns:
            own = sample.within(arm=arm, size=size).run_by(solver)
            cells.append(share_text(own.count(solver, measure), len(own)))
        rows.append((str(size), *cells))
    headings = (f"{arm}: {solver.label} {measure}" for arm, solver, measure in columns)
    return TextTable(("size", *headings), tuple(rows), names=0)


def phase_table(sample: Sample, phases: Sequence[Phase] = PHASES) -> TextTable:
    """Return ENHSP's claims and how many are valid, with McNemar's test, by phase and arm."""
    rows = []
    for arm in ARMS:
        for phase in phases:
            own = sample.within(arm=arm, phase=phase).run_by(ENHSP)
            claimed, valid = own.count(ENHSP, "claimed"), own.count(ENHSP, "valid")
            p = exact_mcnemar(claimed - valid)
            rows.append((
                arm, phase.name, share_text(claimed, len(own)), interval_text(claimed, len(own)),
                share_text(valid, claimed), interval_text(valid, claimed),
                str(claimed - valid), NO_NUMBER if p is None else f"{p:.2g}",
            ))  # fmt: skip
    headings = (
        "arm", "phase", "claimed", "claimed, 95 %", "valid of claimed", "valid of claimed, 95 %",
        "false claims", "McNemar p",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


def adjusted_p(sample: Sample) -> dict[str, float | None]:
    """Return the p of McNemar's test in the phase easy again by arm, adjusted by Holm's method."""
    tests = dict[str, float | None]()
    for arm in ARMS:
        own = sample.within(arm=arm, phase=EASY_AGAIN).run_by(ENHSP)
        tests[arm] = exact_mcnemar(own.count(ENHSP, "claimed") - own.count(ENHSP, "valid"))
    # An arm without a test counts as one that shows nothing.
    adjusted = holm([1.0 if p is None else p for p in tests.values()])
    pairs = zip(tests.items(), adjusted, strict=True)
    return {arm: None if p is None else each for (arm, p), each in pairs}


def exact_table(sample: Sample) -> TextTable:
    """Return how many instances exact DFS solves, by what ENHSP claims, by phase and arm."""
    rows = []
    for arm in ARMS:
        for phase in PHASES:
            own = sample.within(arm=arm, phase=phase).run_by(ENHSP, EXACT)
            parts = (
                own.that(lambda each: each.counts(ENHSP, "valid")),
                own.that(lambda each: each.is_false),
                own.that(lambda each: not each.counts(ENHSP, "claimed")),
            )
            cells = (share_text(part.count(EXACT, "valid"), len(part)) for part in (*parts, own))
            rows.append(
                (arm, phase.name, *cells, interval_text(own.count(EXACT, "valid"), len(own)))
            )
    headings = (
        "arm", "phase", "ENHSP's plan is valid", "its claim is false", "it claims none",
        "all", "all, 95 %",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


def cure_table(sample: Sample) -> TextTable:
    """Return what the secondary solvers claim and solve, by whether ENHSP's claim is valid."""
    rows, marked = [], []
    for solver in SECONDARY:
        for phase in (SMALL, LARGE):
            own = sample.within(phase=phase).run_by(ENHSP, solver)
            false = own.that(lambda each: each.is_false)
            rest = own.that(lambda each: each.counts(ENHSP, "valid"))
            rows.append((solver.label, phase.name, *_cells(rest, solver), *_cells(false, solver)))
            marked.append(own.count(solver, "claimed") > own.count(solver, "valid"))
    headings = (
        "solver", "sizes", "ENHSP's plan valid: claimed", "and valid",
        "ENHSP's claim false: claimed", "and valid",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2, marked=tuple(marked))


def _cells(own: Sample, solver: Solver) -> Iterator[str]:
    for measure in ("claimed", "valid"):
        yield share_text(own.count(solver, measure), len(own))


def target_table(sample: Sample) -> TextTable:
    """Return how many targets of all instances 32-bit floats and doubles represent, by size."""
    rows = []
    for arm in ARMS:
        own = sample.within(arm=arm)
        for size in own.sizes:
            targets = [
                each.case.instance.record.target for each in own.tried if each.case.size == size
            ]
            singles, doubles = sum(map(fits_single, targets)), sum(map(_fits, targets))
            rows.append((arm, str(size), str(len(targets)), str(singles), str(doubles)))
    headings = ("arm", "size", "targets", "in 32-bit floats", "in doubles")
    return TextTable(headings, tuple(rows), names=1)


def _fits(number: int) -> bool:
    return int(float(number)) == number


_QUANTILES: Final = (("least", 0), ("25 %", 1), ("median", 2), ("75 %", 3), ("largest", 4))
_BESIDE: Final = (EXACT, CHECKED)
"""The solvers whose results are shown beside a false claim."""
CAUSES: Final = ("target is not a 32-bit float", "at most 1e-9", "1e-9 to 1e-5", "above 1e-5")
"""The causes of false claims: a target that ENHSP cannot read, else the size of the miss."""


def cause(tried: Tried) -> str | None:
    """Return the cause of a false claim in `CAUSES`; None if the plan leaves no single number."""
    if not fits_single(tried.case.instance.record.target):
        return CAUSES[0]
    miss = tried.miss
    if miss is None:
        return None
    bounds = (STRICT_TOLERANCE, TOLERANCE)
    return CAUSES[1 + sum(miss > bound for bound in bounds)]


def miss_table(sample: Sample) -> TextTable:
    """Return the table of the false claims."""
    rows = []
    for each in sample.tried:
        record = each.case.instance.record
        miss = each.miss
        rows.append((
            each.case.arm, each.case.instance.id, str(each.case.size), str(record.target),
            NO_NUMBER if miss is None else magnitude(miss), cause(each) or NO_NUMBER,
            *(each.ending(solver) for solver in _BESIDE),
        ))  # fmt: skip
    headings = (
        "arm", "instance", "size", "target", "miss", "cause",
        *(solver.label for solver in _BESIDE),
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


def quantile_table(groups: Sequence[tuple[str, Sample]]) -> TextTable:
    """Return the quantiles of the misses of false claims, and their numbers by cause."""
    rows = []
    for name, sample in groups:
        causes = [cause(each) for each in sample.tried]
        misses = sorted(
            each.miss for each in sample.tried if each.miss is not None and cause(each) != CAUSES[0]
        )
        rows.append((
            name, str(len(sample)), *(str(causes.count(each)) for each in CAUSES),
            *(_quantile(misses, quarter) for _, quarter in _QUANTILES),
        ))  # fmt: skip
    headings = ("sizes", "false claims", *CAUSES, *(name for name, _ in _QUANTILES))
    return TextTable(headings, tuple(rows), names=1)


def _quantile(misses: Sequence[Fraction], quarter: int) -> str:
    """Return a quartile, the value at the rank that is nearest; with three significant digits."""
    if not misses:
        return NO_NUMBER
    return magnitude(misses[round(quarter * (len(misses) - 1) / 4)])


_MARKS_S: Final = (30, 60, 120)


def time_table(sample: Sample) -> TextTable:
    """Return the Kaplan-Meier estimates of the share of plans by CPU time, by phase."""
    rows = []
    for solver, measure in _LINES:
        for phase in PHASES:
            own = sample.within(phase=phase).run_by(solver)
            if len(own):
                curve = curve_of(own, solver, measure)
                shares = (rounded(100 * curve.share_at(mark), 0) for mark in _MARKS_S)
                rows.append((
                    f"{solver.label}: {measure}", phase.name, share_text(curve.events, len(own)),
                    rounded(curve.quantile(0.5), 0), *shares,
                ))  # fmt: skip
    marks = (f"% by {mark} s" for mark in _MARKS_S)
    return TextTable(("plans", "phase", "events", "median CPU s", *marks), tuple(rows), names=2)


def curve_of(sample: Sample, solver: Solver, measure: Measure) -> EventCurve:
    """Return the Kaplan-Meier curve of the CPU time until a claimed or a valid plan."""
    times = [each.runs[solver].result.cpu_s for each in sample.tried]
    return event_curve(times, [each.counts(solver, measure) for each in sample.tried])


_EDGE_AND_LATE: Final = LATE[-1]
_LEAST_FALSE: Final = 7
"""The number of false claims in an arm at which McNemar's p, adjusted, falls below 0.05."""


def summary(sample: Sample) -> tuple[str, ...]:
    """Return a sentence or two on each hypothesis of the protocol."""
    return (*_claims(sample), *_others(sample), *_cures(sample), _targets(sample))


def _targets(sample: Sample) -> str:
    """Return how many targets ENHSP can read, which does not depend on the runs."""
    parts = []
    for arm in ARMS:
        large = sample.within(arm=arm, phase=_EDGE_AND_LATE).tried
        readable = sum(fits_single(each.case.instance.record.target) for each in large)
        parts.append(f"{readable} of {len(large)} in {arm}")
    return f"Targets of {_EDGE_AND_LATE.name} that a 32-bit float represents: {', '.join(parts)}."


def _claims(sample: Sample) -> Iterator[str]:
    adjusted = adjusted_p(sample)
    for arm in ARMS:
        for phase in PHASES:
            own = sample.within(arm=arm, phase=phase).run_by(ENHSP)
            claimed, valid = own.count(ENHSP, "claimed"), own.count(ENHSP, "valid")
            if not len(own):
                yield f"{arm}, {phase.name}: no instance was run yet."
                continue
            text = f"{arm}, {phase.name}: ENHSP claims a plan on {claimed} of {len(own)} instances"
            if claimed:
                text += f"; {valid} of {claimed} are valid ({interval_text(valid, claimed)} %)"
            if phase == EASY_AGAIN and claimed:
                text += f". {_test_text(claimed - valid, adjusted[arm])}"
            yield f"{text}."


def _test_text(false: int, p: float | None) -> str:
    if p is None:
        return "There is no false claim to test"
    text = f"McNemar's exact p, adjusted by Holm, is {p:.2g}"
    if false < _LEAST_FALSE:
        text += f": undecided, which takes at least {_LEAST_FALSE} false claims"
    return text


def _others(sample: Sample) -> Iterator[str]:
    false = sample.run_by(ENHSP).that(lambda each: each.is_false)
    if len(false):
        causes = [cause(each) for each in false.tried]
        counts = "; ".join(f"{name}: {causes.count(name)}" for name in CAUSES)
        yield f"False claims by cause or miss: {counts}; {len(false)} in all."
    own = sample.within(phase=EASY_AGAIN).run_by(ENHSP, EXACT)
    open_ = own.that(lambda each: not each.counts(ENHSP, "valid"))
    if len(own):
        yield (
            f"{EASY_AGAIN.name}: exact DFS solves {own.count(EXACT, 'valid')} of {len(own)} "
            f"instances, and {open_.count(EXACT, 'valid')} of the {len(open_)} on which ENHSP's "
            "claim is false or missing."
        )


def _cures(sample: Sample) -> Iterator[str]:
    false = sample.run_by(ENHSP).that(lambda each: each.is_false)
    for solver in SECONDARY:
        own = false.run_by(solver)
        if len(own):
            claimed, valid = own.count(solver, "claimed"), own.count(solver, "valid")
            remark = " (it returns no false plan by construction)" if solver == CHECKED else ""
            remark = " (whole numbers, exact below 2^53)" if solver == RATIONAL else remark
            yield (
                f"Where ENHSP's claim is false, {solver.label}{remark} claims {claimed} of "
                f"{len(own)}, of which {valid} are valid."
            )


_VALID: Final = "valid plan"
_FALSE: Final = "claimed plan that is not valid"
_NONE: Final = "no plan within the limit"


def _run(bench: Workbench) -> StudyResult:
    cases = read_cases()
    if bench.continue_runs:
        continue_runs(bench, cases)
    return report(cases, read_runs(cases, store_file()))


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
        ("ENHSP's claims by phase, with size 16 in the third", phase_table(sample, LATE)),
        ("Exact DFS, by what ENHSP claims", exact_table(sample)),
        ("What plans pass through", kind_table(runs)),
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
            sizes = [str(row.sizes[0]) for row in rows]
            bars = {_VALID: valid, _FALSE: false, _NONE: none}
            yield Chart(
                f"{solver.label}, {arm}",
                "size (numbers)",
                "instances so far",
                tuple(
                    Series(name, tuple(map(Point, sizes, counts)), faint=name == _NONE)
                    for name, counts in bars.items()
                    if any(counts)
                ),
                bottom=0,
                stacked=True,
            )


STUDIES: Final = (
    Study(
        "countdown-transition",
        "Is the second phase transition a floating-point artefact? From stored runs",
        _run,
        cards=tuple(f"data/{arm}.toml" for arm in ARMS),
        is_stored=True,
    ),
)
