"""Logistic regressions on phase and arm, and Kaplan-Meier curves of CPU time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from pddl_pipeline.papers.countdown.accuracy import EASY, EASY_AGAIN
from pddl_pipeline.papers.countdown.transition_protocol import ARMS, ENHSP, EXACT, PHASES, Solver
from pddl_pipeline.papers.countdown.transition_sample import Measure, Sample, share_text
from pddl_pipeline.statistics.logistic import Coefficient, LogisticFit, logistic_fit
from pddl_pipeline.statistics.survival import EventCurve, event_curve
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

_RESPONSES: Final[tuple[tuple[Solver, Measure], ...]] = (
    (ENHSP, "claimed"), (ENHSP, "valid"), (EXACT, "valid"),
)  # fmt: skip
_MARKS_S: Final = (30, 60, 120)
_LARGEST_RATIO: Final = 1e4


def regression_table(sample: Sample) -> TextTable:
    """Return the odds ratios of the regressions of claimed and valid plans on phase and arm."""
    rows = [
        row
        for solver, measure in _RESPONSES
        for row in _fit_rows(solver, measure, sample.run_by(solver))
    ]
    headings = ("plans", "n", "odds ratio of", "odds ratio", "95 %", "p", "ML estimate exists")
    return TextTable(headings, tuple(rows), names=3)


def fitted(solver: Solver, measure: Measure, sample: Sample) -> LogisticFit | None:
    """Return the regression of a response on the phases and the arm that the sample has."""
    own = sample.tried
    columns = {
        f"{EASY.name}, against the hard phase": [each.case.size in EASY.sizes for each in own],
        f"{EASY_AGAIN.name}, against the hard phase": [
            each.case.size in EASY_AGAIN.sizes for each in own
        ],
        f"{ARMS[1]}, against {ARMS[0]}": [each.case.arm == ARMS[1] for each in own],
    }
    varying = {name: list(map(float, v)) for name, v in columns.items() if len(set(v)) > 1}
    return logistic_fit([each.counts(solver, measure) for each in own], varying)


def _fit_rows(solver: Solver, measure: Measure, sample: Sample) -> Iterator[tuple[str, ...]]:
    name, fit = f"{solver.label}: {measure}", fitted(solver, measure, sample)
    if fit is None or len(fit.coefficients) == 1:
        yield (name, str(len(sample)), "not identifiable", *[NO_NUMBER] * 4)
        return
    for each in fit.coefficients[1:]:
        exists = "no" if fit.is_separated else "yes"
        yield (name, str(fit.number), each.name, *_cells(each), exists)


def _cells(each: Coefficient) -> tuple[str, str, str]:
    ends = " to ".join(map(_ratio, (each.low, each.high)))
    return _ratio(each.estimate), ends, f"{each.p:.2g}"


def _ratio(coefficient: float | None) -> str:
    """Return an odds ratio of a coefficient; None is an end that is not finite."""
    if coefficient is None:
        return "no bound"
    ratio = math.exp(coefficient)
    return f"above {_LARGEST_RATIO:g}" if ratio > _LARGEST_RATIO else f"{ratio:.2g}"


def time_table(sample: Sample) -> TextTable:
    """Return the Kaplan-Meier estimates of the share of plans by CPU time, by phase."""
    rows = []
    for solver, measure in _RESPONSES:
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
