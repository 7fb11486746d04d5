"""Verdicts on random tasks, compared with VAL's.

``pytest --run-long --hypothesis-seed=3 -s`` with a new seed tries other tasks and prints how many
plans were compared; a difference is shrunk.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from val_program import needs_val, val_on_texts
from val_tasks import Given, numeric_tasks, typed_tasks

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import InputError

pytestmark = [needs_val, pytest.mark.long]
EXAMPLES = 1_000
many = settings(
    max_examples=EXAMPLES,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def seen() -> Iterator[Counter[tuple[str, str, str]]]:
    """Count the answers, and print the counts at the end."""
    counts: Counter[tuple[str, str, str]] = Counter()
    yield counts
    for key, count in sorted(counts.items()):
        sys.stdout.write(f"{' '.join(key)}: {count}\n")


def compare(task: Given, *, careful: bool = True) -> tuple[str, str]:
    """Return our status and VAL's, which must agree where VAL gives a verdict.

    If the task is not careful, steps at one time may interfere here and not in VAL.
    """
    val = val_on_texts(task)
    try:
        verdict = read_task(task.domain, task.problem).judge(task.plan)
    except InputError as error:
        ours, message, cost = "input-error", str(error), None
    else:
        ours, message, cost = str(verdict.status), verdict.reason or "", verdict.cost
    if val.status not in ("valid", "invalid", "malformed"):
        return ours, val.status
    if not careful and (ours, val.status) == ("invalid", "valid") and "interfere" in message:
        return "interfere", val.status
    if (ours, val.status) == ("valid", "invalid") and fails_without_a_reason(task):
        return ours, "invalid-without-reason"
    assert ours == val.status, f"{message}\n{task}"
    if val.value is not None and cost is not None:
        assert abs(val.value - cost) < 1e-6 * max(1, abs(cost)), f"ours {cost}\n{task}"
    return ours, val.status


def fails_without_a_reason(task: Given) -> bool:
    """Return whether VAL rejects a step without naming a condition, a mutex or a fluent."""
    reasons = ("Mutex violation", "unsatisfied precondition", "ssigns to", "Goal not satisfied")
    return not any(reason in val_on_texts(task, "-v").printed for reason in reasons)


@many
@given(task=numeric_tasks(stamped=False))
def test_sequences(task: Given, seen: Counter[tuple[str, str, str]]) -> None:
    seen["sequences", *compare(task)] += 1


@many
@given(task=numeric_tasks(stamped=True, careful=True))
def test_equal_time_stamps(task: Given, seen: Counter[tuple[str, str, str]]) -> None:
    seen["stamps", *compare(task)] += 1


@many
@given(task=numeric_tasks(stamped=True))
def test_equal_time_stamps_of_any_steps(task: Given, seen: Counter[tuple[str, str, str]]) -> None:
    seen["stamps of any steps", *compare(task, careful=False)] += 1


@many
@given(task=typed_tasks())
def test_typed_lists(task: Given, seen: Counter[tuple[str, str, str]]) -> None:
    seen["lists", *compare(task)] += 1
