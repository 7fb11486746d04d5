"""Verdicts as text: VAL's lines, then the reason."""

from __future__ import annotations

from collections.abc import Iterator

from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.val import text as val_text


def verdict_text(plan: str, verdict: Verdict) -> Iterator[str]:
    """Yield the lines for one plan: VAL's lines, then the reason."""
    match verdict.status:
        case Status.VALID:
            yield val_text.EXECUTED
            yield val_text.VALID
            if verdict.cost is not None:
                yield f"{val_text.FINAL_VALUE}{number_text(verdict.cost)}"
        case Status.INVALID if verdict.failed_step is None:
            yield val_text.EXECUTED
            yield val_text.GOAL_MISSED
            yield val_text.INVALID
        case Status.INVALID:
            yield val_text.NOT_EXECUTED
        case Status.MALFORMED:
            yield val_text.BAD_PLAN
            yield f"{plan}:{verdict.line}:{verdict.column}: {verdict.reason}"
        case _:
            yield f"Plan {verdict.status}"
    if verdict.reason and verdict.status is not Status.MALFORMED:
        yield verdict.reason
    for name, opinion in verdict.opinions.items():
        yield f"{name}: {opinion.status}{f' ({opinion.reason})' if opinion.reason else ''}"
