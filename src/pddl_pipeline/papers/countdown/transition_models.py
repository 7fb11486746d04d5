"""Kaplan-Meier curves of CPU time."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.papers.countdown.transition_protocol import ENHSP, EXACT, PHASES, Solver
from pddl_pipeline.papers.countdown.transition_sample import Measure, Sample, share_text
from pddl_pipeline.statistics.survival import EventCurve, event_curve
from pddl_pipeline.tables.text_table import TextTable, rounded

_RESPONSES: Final[tuple[tuple[Solver, Measure], ...]] = (
    (ENHSP, "claimed"), (ENHSP, "valid"), (EXACT, "valid"),
)  # fmt: skip
_MARKS_S: Final = (30, 60, 120)


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
