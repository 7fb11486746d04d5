"""Verdicts in VAL's words, for the screen. The lines are a format that scripts search for."""

from __future__ import annotations

from collections.abc import Iterator

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.task import Task


def verdict_text(plan: str, verdict: Verdict) -> Iterator[str]:
    """Yield the lines on one plan: VAL's, and then why."""
    match verdict.status:
        case Status.VALID:
            yield "Plan executed successfully - checking goal"
            yield "Plan valid"
            if verdict.cost is not None:
                yield f"Final value: {number_text(verdict.cost)}"
        case Status.INVALID if verdict.failed_step is None:
            yield "Plan executed successfully - checking goal"
            yield "Goal not satisfied"
            yield "Plan invalid"
        case Status.INVALID:
            yield "Plan failed to execute"
        case Status.MALFORMED:
            yield "Bad plan description!"
            yield f"{plan}:{verdict.line}:{verdict.column}: {verdict.reason}"
            return
        case _:
            yield f"Plan {verdict.status}"
    if verdict.reason:
        yield verdict.reason
    for name, opinion in verdict.opinions.items():
        yield f"{name}: {opinion.status}{f' ({opinion.reason})' if opinion.reason else ''}"


def steps_text(task: Task, text: str, verdict: Verdict) -> Iterator[str]:
    """Yield what each step of a plan changes, up to the step that fails."""
    try:
        steps = task.read_plan(text).steps
    except PlanSyntaxError:
        return
    done = len(steps) if verdict.failed_step is None else verdict.failed_step - 1
    state = task.initial_state()
    for number, step in enumerate(steps[:done], start=1):
        yield f"Checking next happening (time {number})"
        changes = task.changes(step, state)
        for atom in sorted(changes.deletes - changes.adds):
            yield f"Deleting ({' '.join(atom)})"
        for atom in sorted(changes.adds):
            yield f"Adding ({' '.join(atom)})"
        for fluent, value in sorted(changes.values.items()):
            old = state.values.get(fluent)
            was = "undefined" if old is None else number_text(old)
            yield f"Updating ({' '.join(fluent)}) ({was}) to {number_text(value)}"
        changes.apply(state)
    if verdict.failed_step is not None:
        yield f"Checking next happening (time {verdict.failed_step})"
