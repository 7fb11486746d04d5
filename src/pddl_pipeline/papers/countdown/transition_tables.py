"""Tables of claimed and of valid plans: by size, by phase, and by secondary solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Final

from pddl_pipeline.papers.countdown.accuracy import EASY_AGAIN, LARGE, SMALL, Phase
from pddl_pipeline.papers.countdown.transition_protocol import (
    ARMS,
    ENHSP,
    EXACT,
    LATE,
    PHASES,
    PRIMARY,
    SECONDARY,
    Solver,
)
from pddl_pipeline.papers.countdown.transition_sample import (
    Measure,
    Sample,
    exact_mcnemar,
    fits_single,
    interval_text,
    share_text,
)
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
                str(claimed - valid), _p_text(p),
            ))  # fmt: skip
    headings = (
        "arm", "phase", "claimed", "claimed, 95 %", "valid of claimed", "valid of claimed, 95 %",
        "false claims", "McNemar p",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


def late_table(sample: Sample) -> TextTable:
    """Return the phase table with the size at the edge in the third phase."""
    return phase_table(sample, LATE)


def holm(sample: Sample) -> dict[str, float | None]:
    """Return the p of McNemar's test in the phase easy again by arm, adjusted by Holm's method."""
    tests = dict[str, float | None]()
    for arm in ARMS:
        own = sample.within(arm=arm, phase=EASY_AGAIN).run_by(ENHSP)
        tests[arm] = exact_mcnemar(own.count(ENHSP, "claimed") - own.count(ENHSP, "valid"))
    known = sorted((p, arm) for arm, p in tests.items() if p is not None)
    largest = 0.0
    for at, (p, arm) in enumerate(known):
        largest = max(largest, min(1.0, (len(tests) - at) * p))
        tests[arm] = largest
    return tests


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
            singles, doubles = _number(map(fits_single, targets)), _number(map(_fits, targets))
            rows.append((arm, str(size), str(len(targets)), str(singles), str(doubles)))
    headings = ("arm", "size", "targets", "in 32-bit floats", "in doubles")
    return TextTable(headings, tuple(rows), names=1)


def _number(found: Iterable[bool]) -> int:
    return sum(found)


def _fits(number: int) -> bool:
    return int(float(number)) == number


def _p_text(p: float | None) -> str:
    return NO_NUMBER if p is None else f"{p:.2g}"
