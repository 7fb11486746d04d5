"""The steps of a timed plan as bars over time."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log10
from typing import Final

from pddl_pipeline.model.number import Number, number_decimal
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pages.html_page import part
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.validation.explanation import condition_text, expression_text
from pddl_pipeline.validation.language import Add, Delete, Effect, Not, Update
from pddl_pipeline.validation.plan_reader import plan_number

_MOST_ROWS: Final = 500


def timeline_chart(data: PageData) -> str:
    """Return the chart of a plan with durations, a row a step; empty for other plans."""
    walk = data.walk
    if not walk.plan or not walk.task.vocabulary.snaps:
        return ""
    spans = [(step.time or Fraction(), plan_number(step.duration or "0")) for step in walk.plan]
    timed = walk.task.facts.timed
    end = max([*map(sum, spans), *(time for time, _ in timed)]) or Fraction(1)
    size = Fraction(10) ** floor(log10(end.numerator) - log10(end.denominator))
    size /= 1 if end > 5 * size else 2 if end > 2 * size else 5

    def place(time: Number) -> tuple[float, str]:
        return float(Fraction(time) / end), number_decimal(time, 6)

    happenings = walk.task.narrate(walk.plan) if walk.verdict.status is Status.INVALID else ()
    return part(
        "timeline.svg.j2", "chart",
        [(data.step(step), place(start), place(length))
         for step, (start, length) in zip(walk.plan, spans, strict=True)][:_MOST_ROWS],
        len(walk.plan), walk.verdict.failed_step,
        [place(size * number) for number in range(floor(end / size) + 1)],
        [(place(time), ", ".join(map(_said, literals.effects))) for time, literals in timed],
        [place(happening.time) for happening in happenings if happening.after is None],
    )  # fmt: skip


def _said(effect: Effect) -> str:
    if isinstance(effect, (Add, Delete)):
        return condition_text(effect.atom if isinstance(effect, Add) else Not(effect.atom), {})
    values = (effect.fluent, effect.value) if isinstance(effect, Update) else ()
    return f"(= {' '.join(expression_text(value, {}) for value in values)})"
