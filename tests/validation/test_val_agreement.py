"""Verdicts on random tasks, compared with VAL's.

``pytest --run-long --hypothesis-seed=3`` with a new seed tries other tasks; a difference is
shrunk.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from val_program import needs_val, val_on_texts
from val_tasks import Given, constrained_tasks, numeric_tasks, timed_tasks

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import InputError

pytestmark = [needs_val, pytest.mark.long]
EXAMPLES = 1_000
many = settings(
    max_examples=EXAMPLES,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


KINDS = {
    "sequences": numeric_tasks(stamped=False),
    "equal time stamps": numeric_tasks(stamped=True, careful=True),
    "equal time stamps of any steps": numeric_tasks(stamped=True),
    "durative actions": timed_tasks(),
    "preferences and constraints": constrained_tasks(),
}


@pytest.mark.parametrize("kind", KINDS)
@many
@given(data=st.data())
def test_verdicts_agree(kind: str, data: st.DataObject) -> None:
    """Our verdict is VAL's where VAL gives one.

    Steps of any kind at one time may interfere here and not in VAL.
    """
    task = data.draw(KINDS[kind])
    val, message, cost = val_on_texts(task, "-t", "0.0001"), "", None
    try:
        verdict = read_task(task.domain, task.problem).judge(task.plan)
        ours, message, cost = str(verdict.status), verdict.reason or "", verdict.cost
    except InputError as error:
        ours, message = "input-error", str(error)
    statuses = ours, val.status
    interferes = statuses == ("invalid", "valid") and "interfere" in message
    if val.status not in ("valid", "invalid", "malformed") or (
        interferes and kind == "equal time stamps of any steps"
    ):
        return
    assert ours == val.status or (
        statuses == ("valid", "invalid") and fails_without_a_reason(task)
    ), f"{message}\n{task}"
    if val.value is not None and cost is not None:
        assert abs(val.value - cost) < 1e-6 * max(1, abs(cost)), f"ours {cost}\n{task}"


def fails_without_a_reason(task: Given) -> bool:
    """Return whether VAL rejects a step without naming a condition, a mutex or a fluent."""
    reasons = ("Mutex violation", "unsatisfied precondition", "ssigns to", "Goal not satisfied")
    return not any(reason in val_on_texts(task, "-v", "-t", "0.0001").printed for reason in reasons)
