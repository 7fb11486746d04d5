"""A score as a line of JSON. Scripts depend on its fields: do not change them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pddl_pipeline.model.answer import Ruling, TraceLine
from pddl_pipeline.model.number import number_fields
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.formats.rows import plain
from pddl_pipeline.validation.version import VERDICT_VERSION


def score_line(score: Score) -> str:
    """Return one line with its newline."""
    return f"{json.dumps(score_json(score), default=plain)}\n"


def score_json(score: Score) -> dict[str, Any]:
    """Return the object of a line; fractions are strings such as ``7/3``."""
    verdict = score.verdict
    return {
        "id": score.id,
        "attempt": score.attempt,
        "status": verdict.status,
        "strict_status": score.strict_status,
        "steps": verdict.steps,
        **number_fields("cost", verdict.cost),
        "failed_step": verdict.failed_step,
        "errors": list(score.errors),
        "reason": verdict.reason,
        "plan": None if score.plan is None else [str(step) for step in score.plan],
        "trace": [_traced(line) for line in score.trace],
        "verdict_version": VERDICT_VERSION,
        **dict(_further(score)),
    }


def _further(score: Score) -> Iterator[tuple[str, Any]]:
    """Yield the fields that only some scores have."""
    if score.verdict.unsatisfied:
        yield "unsatisfied", list(score.verdict.unsatisfied)
    if score.verdict.within_budget is not None:
        yield "within_budget", score.verdict.within_budget
    if score.rules is not None:
        yield "rules", score.rules
    if score.rulings:
        yield "by_rules", {name: _reason(ruling) for name, ruling in score.rulings.items()}
    if score.answer.model is not None:
        yield "model", score.answer.model
    if score.answer.published is not None:
        yield "published", score.answer.published
    own = score.answer.extra
    if score.extra or own:
        # The data's fields stand first and count, as in the tables.
        yield "extra", {**score.extra, **own, **score.extra}


def _reason(ruling: Ruling) -> str | None:
    """Return why an answer is wrong by these rules, or None if it is correct."""
    return None if ruling.right else ruling.reason or "not right"


def _traced(line: TraceLine) -> dict[str, Any]:
    return {
        "line": line.line,
        "text": line.text,
        "action": line.action,
        "step": line.step,
        "note": line.note,
    }
