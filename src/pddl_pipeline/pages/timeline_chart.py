"""The steps of a timed plan as bars over time, and the values of one of PDDL+ as curves."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log10
from typing import Final

from pddl_pipeline.model.number import Number, number_decimal
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.pages.html_page import part
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.validation.explanation import condition_text, expression_text
from pddl_pipeline.validation.language import DURATION, Add, Delete, Effect, Not, Update
from pddl_pipeline.validation.plan_reader import plan_number
from pddl_pipeline.validation.transition_system import step_text

_MOST_ROWS: Final = 500
_MOST_CURVES: Final = 20
_MOST_POINTS: Final = 1000


def timeline_chart(data: PageData) -> str:
    """Return the chart of a plan with durations, a row a step; empty for other plans."""
    walk = data.walk
    if not walk.plan or not walk.task.vocabulary.snaps:
        return ""
    spans = [(step.time or Fraction(), plan_number(step.duration or "0")) for step in walk.plan]
    timed = walk.task.facts.timed
    frames = [(frame.time, frame.failed) for frame in walk.frames if frame.time is not None]
    times = *map(sum, spans), *(time for time, _ in (*timed, *frames))
    end = Fraction(max(times)) or Fraction(1)
    # About five to ten ticks, at 1, 2 or 5 times a power of ten.
    size = Fraction(10) ** floor(log10(end.numerator) - log10(end.denominator))
    size /= 1 if end > 5 * size else 2 if end > 2 * size else 5

    def place(time: Number) -> tuple[float, str]:
        return float(Fraction(time) / end), number_decimal(time, 6)

    return part(
        "timeline.svg.j2", "chart",
        [(data.step(step), place(start), place(length))
         for step, (start, length) in zip(walk.plan, spans, strict=True)][:_MOST_ROWS],
        len(walk.plan), walk.verdict.failed_step,
        [place(size * number) for number in range(floor(end / size) + 1)],
        [(place(time), ", ".join(map(_said, literals.effects))) for time, literals in timed],
        [place(time) for time, failed in frames if failed],
        float(end) if frames else 0,
    )  # fmt: skip


def value_chart(data: PageData) -> str:
    """Return the chart of the values of a plan of PDDL+, a row a fluent; empty for other plans."""
    walk = data.walk
    if walk.plan is None or not walk.task.vocabulary.is_hybrid:
        return ""
    trace = walk.task.trace_in_time(walk.plan, walk.verdict.delta)
    end = max([time for time, _ in trace.points], default=0) or 1
    points = [*trace.points[:: len(trace.points) // _MOST_POINTS + 1], *trace.points[-1:]]
    rows = []
    for name in dict.fromkeys(name for _, values in points for name in values):
        curve = [(time / end, values[name]) for time, values in points if name in values]
        low, high = min(value for _, value in curve), max(value for _, value in curve)
        if low < high and name[0] != DURATION:
            line = " ".join(f"{x * 1000:.1f},{(high - y) / (high - low):.4f}" for x, y in curve)
            rows.append((atom_text(name), f"{low:.6g}", f"{high:.6g}", line))
    if not rows:
        return ""
    events = [
        (float(time) / end, number_decimal(time, 6), step_text(name, 0))
        for time, name, kind, _ in trace.happenings
        if kind == "event"
    ]
    return part("timeline.svg.j2", "curves", rows[:_MOST_CURVES], len(rows), events, f"{end:.6g}")


def _said(effect: Effect) -> str:
    if isinstance(effect, (Add, Delete)):
        return condition_text(effect.atom if isinstance(effect, Add) else Not(effect.atom), {})
    values = (effect.fluent, effect.value) if isinstance(effect, Update) else ()
    return f"(= {' '.join(expression_text(value, {}) for value in values)})"
