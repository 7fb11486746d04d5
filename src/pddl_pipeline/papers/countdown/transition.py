"""The study of false plans of ENHSP in Countdown, and of the second phase transition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count as counting
from itertools import product
from math import comb, isnan
from statistics import median
from typing import Final, NamedTuple

from pddl_pipeline.papers.countdown.accuracy import EASY_AGAIN, HARD, MEASURES, Phase, side_by_side
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
    STRICT,
    STRICT_TOLERANCE,
    TOLERANCE,
    ZERO,
    Case,
    Measure,
    Sample,
    Solver,
    Tried,
    continue_runs,
    fits_single,
    interval_text,
    is_complete,
    primary_runs,
    read_cases,
    read_runs,
    runs_of,
    sample_of,
    secondary_runs,
    share_text,
    store_file,
)
from pddl_pipeline.papers.countdown.zeros import (
    Kind,
    exact_plans,
    false_plans,
    is_tiny,
    kind_of,
    kind_table,
    steps_on_the_way,
)
from pddl_pipeline.papers.stored_runs import StoredRun
from pddl_pipeline.papers.study import Chart, NamedTable, Point, Study, StudyResult, Workbench
from pddl_pipeline.statistics.differences import (
    LEVEL,
    POWER,
    exact_interval,
    odds_ratio,
    share_difference,
)
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded


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


class Share(NamedTuple):
    """A share of instances, or of claims, that is compared between two phases."""

    name: str
    solver: Solver
    measure: Measure
    of_claims: bool = False

    def counts(self, sample: Sample) -> tuple[int, int]:
        """Return the number of instances that count, and of all."""
        own = sample.run_by(self.solver)
        whole = own.count(self.solver, "claimed") if self.of_claims else len(own)
        return own.count(self.solver, self.measure), whole


SHARES: Final = (
    Share("Claims", ENHSP, "claimed"),
    Share("Valid claims", ENHSP, "valid", of_claims=True),
    Share("Solved by exact DFS", EXACT, "valid"),
)


def between_table(sample: Sample, phases: Sequence[Phase] = PHASES) -> TextTable:
    """Return the shares in the last two phases, with Fisher's exact test, by arm.

    The odds ratio is the conditional estimate, with its exact interval; above 1 if the share rises.
    """
    rows = []
    for arm in ARMS:
        own = [sample.within(arm=arm, phase=phase) for phase in phases[-2:]]
        for share in SHARES:
            one, other = map(share.counts, own)
            rows.append((arm, share.name, _shown(*one), _shown(*other), *_test(other, one)))
    headings = ("arm", "share", *(phase.name for phase in phases[-2:]), "odds ratio", "Fisher p")
    return TextTable(headings, tuple(rows), names=2)


def _shown(count: int, of: int) -> str:
    """Return a share with its 95 % interval in percent."""
    return f"{share_text(count, of)} ({interval_text(count, of)})" if of else NO_NUMBER


def _test(one: tuple[int, int], other: tuple[int, int]) -> tuple[str, str]:
    """Return the odds ratio with its interval, and p."""
    if not one[1] * other[1]:
        return NO_NUMBER, NO_NUMBER
    ratio, (low, high) = odds_ratio(*one, *other)
    shown = NO_NUMBER if isnan(ratio) else f"{ratio:.2f} ({low:.2f} to {high:.2f})"
    return shown, f"{share_difference(*one, *other).p:.2g}"


def cure_table(sample: Sample) -> TextTable:
    """Return what the secondary solvers claim and solve, by whether ENHSP's claim is valid."""
    rows, marked = [], []
    for solver in SECONDARY:
        own = sample.run_by(ENHSP, solver)
        rest = own.that(lambda each: each.counts(ENHSP, "valid"))
        rows.append(
            (
                solver.label,
                *(
                    share_text(part.count(solver, measure), len(part))
                    for part in (rest, own.that(Tried.is_false))
                    for measure in MEASURES
                ),
            )
        )
        marked.append(own.count(solver, "claimed") > own.count(solver, "valid"))
    headings = (
        "solver",
        "ENHSP's plan valid: claimed",
        "and valid",
        "ENHSP's plan false: claimed",
        "and valid",
    )
    return TextTable(headings, tuple(rows), names=1, marked=tuple(marked))


TOLERANCES: Final = (ENHSP, STRICT, ZERO)
VARIANTS: Final = (STRICT, ZERO, RATIONAL, CHECKED)
"""The forms of ENHSP that are more exact than the paper's."""
_BESIDE: Final = (EXACT, CHECKED)
"""The solvers whose results are shown beside a false claim."""
CAUSES: Final = ("target is not a 32-bit float", "at most 1e-9", "1e-9 to 1e-5", "above 1e-5")
"""The causes of false claims: a target that ENHSP cannot read, else the size of the miss."""


def cause(tried: Tried) -> str | None:
    """Return the cause of a false claim in `CAUSES`; None if the plan leaves no single number."""
    if not fits_single(tried.case.instance.record.target):
        return CAUSES[0]
    miss = tried.miss()
    if miss is None:
        return None
    bounds = (STRICT_TOLERANCE, TOLERANCE)
    return CAUSES[1 + sum(miss > bound for bound in bounds)]


def false_table(sample: Sample) -> TextTable:
    """Return the false plans of ENHSP at each tolerance, with the least value they pass through."""
    rows = []
    for solver, each in product(TOLERANCES, sample.tried):
        if each.is_false(solver):
            steps = [step for step in steps_on_the_way(each.runs[solver]) if step[1]]
            operation, least = min(
                steps, key=lambda step: abs(Fraction(step[1])), default=(NO_NUMBER, 0)
            )
            miss = each.miss(solver)
            rows.append((
                solver.label, each.case.instance.id, str(each.case.instance.record.target),
                NO_NUMBER if miss is None else magnitude(miss), magnitude(least), operation,
                *(each.ending(other) for other in _BESIDE),
            ))  # fmt: skip
    headings = (
        "solver", "instance", "target", "miss", "least value", "made by",
        *(other.label for other in _BESIDE),
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


_EDGE_AND_LATE: Final = LATE[-1]


def summary(sample: Sample, runs: Sequence[StoredRun]) -> tuple[str, ...]:
    """Return the findings in sentences."""
    return (*_claims(sample), *_kinds(runs), *_others(sample), _targets(sample))


def _targets(sample: Sample) -> str:
    """Return how many targets ENHSP can read, which does not depend on the runs."""
    parts = []
    for arm in ARMS:
        large = sample.within(arm=arm, phase=_EDGE_AND_LATE).tried
        readable = sum(fits_single(each.case.instance.record.target) for each in large)
        parts.append(f"{readable} of {len(large)} in {arm}")
    return f"Targets of {_EDGE_AND_LATE.name} that a 32-bit float represents: {', '.join(parts)}."


def _claims(sample: Sample) -> Iterator[str]:
    """Yield the shares of the two phases, and what would show that claims rise."""
    for _, hard, late in (PHASES, LATE):
        for arm, name, one, other, ratio, p in between_table(sample, (hard, late)).rows:
            yield (
                f"{name}, {arm}: {one} at {hard.name}, {other} at {late.name}; p={p} (Fisher's "
                f"exact test), odds ratio {ratio}."
            )
    none = sample.run_by(ENHSP).that(lambda each: not each.counts(ENHSP, "claimed"))
    ended = sum(each.runs[ENHSP].result.limits["hit"] == "cpu" for each in none.tried)
    yield f"Of {len(none)} runs of ENHSP without a claim, {ended} ended at the CPU limit."
    count, of = SHARES[0].counts(sample.within(arm=ARMS[-1], phase=HARD))
    if count < of:
        yield (
            f"To show a rise from {count} of {of} claims to all takes "
            f"n={size_for_rise(count, of)} in each phase (Fisher's exact test, power {POWER}) and "
            "the paper's 1800 s."
        )


def size_for_rise(count: int, of: int) -> int:
    """Return the least size of two samples that shows, with power `POWER`, a rise to all cases.

    The first sample's true share is `count` of `of`. If m of its n cases fail, Fisher's p is
    2 C(n, m) / C(2n, m); the power is the exact probability that p is below `LEVEL`.
    """
    from scipy.stats import binom  # extra

    for size in counting(1):
        fewest = next(m for m in counting() if 2 * comb(size, m) < LEVEL * comb(2 * size, m))
        if binom.sf(fewest - 1, size, 1 - count / of) >= POWER:
            break
    return size


def _kinds(runs: Sequence[StoredRun]) -> Iterator[str]:
    """Yield what plans pass through, which was classified after the runs had been looked at."""
    false, exact = false_plans(runs), exact_plans(runs)
    valid = [run for run in runs_of(ENHSP, runs) if run.result.solved]
    tiny = [_using("tiny", own) for own in (false, valid)]
    # Later tiny values may come from the first one, so its operation counts.
    divided = sum(
        next(step[0] for step in steps_on_the_way(run) if is_tiny(step[1])) == "divide"
        for run in false
        if kind_of(run) == "tiny"
    )
    yield (
        f"Plans of ENHSP through a tiny value: {_shown(*tiny[0])} of the false ones, the first by "
        f"a division in {divided}; {_shown(*tiny[1])} of the valid ones; p={_test(*tiny)[1]} "
        "(Fisher's exact test)."
    )
    late = [
        [run for run in own if run.result.size in EASY_AGAIN.sizes and run.result.solved]
        for own in (exact, [run for solver in VARIANTS for run in runs_of(solver, runs)])
    ]
    zeros = [_using("zero", own) for own in (exact, *late)]
    yield (
        f"Plans of exact DFS through a zero: {_shown(*zeros[0])}; at {EASY_AGAIN.name}: "
        f"{_shown(*zeros[1])}."
    )
    yield (
        f"Valid plans of more exact forms of ENHSP through a zero, {EASY_AGAIN.name}: "
        f"{share_text(*zeros[2])}, on {len({run.result.id for run in late[1]})} instances."
    )
    lost = ", ".join(run.result.id for run in false_plans(runs, ZERO))
    yield f"False plans with tolerance 0: {lost or 'none'}."


def _using(kind: Kind, runs: Sequence[StoredRun]) -> tuple[int, int]:
    return sum(kind_of(run) == kind for run in runs), len(runs)


def _others(sample: Sample) -> Iterator[str]:
    false = sample.run_by(ENHSP).that(Tried.is_false)
    causes = [cause(each) for each in false.tried]
    counts = "; ".join(f"{name}: {causes.count(name)}" for name in CAUSES)
    yield f"False claims by cause or miss: {counts}; {len(false)} in all."
    for phase in (HARD, EASY_AGAIN):
        own = sample.within(phase=phase).run_by(ENHSP, EXACT)
        open_ = own.that(lambda each: not each.counts(ENHSP, "valid"))
        yield (
            f"Exact DFS, {phase.name}: solves {open_.count(EXACT, 'valid')} of {len(open_)} "
            "instances on which ENHSP's claim is false or missing."
        )


def _run(bench: Workbench) -> StudyResult:
    cases = read_cases()
    if bench.continue_runs:
        continue_runs(bench, cases)
    return report(cases, read_runs(cases, store_file()))


def report(cases: Sequence[Case], runs: Sequence[StoredRun]) -> StudyResult:
    """Return the tables, the picture and the summary of stored runs."""
    sample = sample_of(cases, runs)
    tables = (
        ("Phases compared", between_table(sample)),
        ("Phases compared, with size 16 in the third", between_table(sample, LATE)),
        ("Plans by size", size_table(sample)),
        ("What plans pass through", kind_table(runs)),
        ("False claims", false_table(sample)),
        ("Other solvers on the instances that ENHSP claims", cure_table(sample)),
        ("Versions and machines", _version_table(runs)),
    )
    return StudyResult(
        conditions=_conditions(cases, runs),
        comparisons=(),
        tables=tuple(NamedTable(caption, table) for caption, table in tables),
        charts=tuple(_charts(sample)),
        notes=summary(sample, runs),
        unexplained=sum(run.result.unexplained for run in runs),
    )


def _conditions(cases: Sequence[Case], runs: Sequence[StoredRun]) -> str:
    known = {run.identity for run in runs}
    primary, secondary = primary_runs(cases), secondary_runs(cases, runs)
    parts = (sum(each.key in known for each in own) for own in (primary, secondary))
    of_primary, of_secondary = (
        f"{number} of {len(own)}" for number, own in zip(parts, (primary, secondary), strict=True)
    )
    days = sorted(run.result.started[:10] for run in runs) or [NO_NUMBER]
    state = "Complete" if is_complete(cases, runs) else "Incomplete"
    return (
        f"{state}: {of_primary} primary and {of_secondary} secondary runs, {days[0]} to "
        f"{days[-1]}; 120 s of CPU time (300 s at size 24, 600 s at size 30) and 3.5 GiB per run."
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
    """Yield a chart for each solver and arm: the shares of claimed and of valid plans by size."""
    for solver in (ENHSP, EXACT):
        for arm in ARMS:
            own = sample.within(arm=arm).run_by(solver)
            if not len(own):
                continue
            rows = [own.within(size=size) for size in own.sizes]
            points = {
                f"{measure} plans": [
                    _exact_point(row.sizes[0], row.count(solver, measure), len(row)) for row in rows
                ]
                for measure in MEASURES
            }
            yield Chart(
                f"{solver.label}, {arm}",
                f"size (numbers), n={min(map(len, rows))} to {max(map(len, rows))} instances each",
                "instances (%), Clopper-Pearson 95 %",
                tuple(side_by_side(points)),
                bottom=0,
                top=100,
                sizes=tuple(own.sizes),
            )


def _exact_point(size: int, count: int, number: int) -> Point:
    interval = exact_interval(count, number, 1 - LEVEL)
    return Point(size, 100 * count / number, 100 * interval.low, 100 * interval.high)


STUDIES: Final = (
    Study(
        "countdown-transition",
        "False plans of ENHSP, and the second phase transition, from stored runs",
        _run,
        cards=tuple(f"data/{arm}.toml" for arm in ARMS),
        is_stored=True,
    ),
)
