"""The lines that VAL prints about a plan. They are a format that scripts search for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pddl_pipeline.model.number import Number, number_decimal
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import updated

if TYPE_CHECKING:
    from pddl_pipeline.model.errors import WrongDuration
    from pddl_pipeline.model.plan import Plan
    from pddl_pipeline.validation.execution import Failure, Happening
    from pddl_pipeline.validation.language import Ground
    from pddl_pipeline.validation.state import Changes, State
    from pddl_pipeline.validation.task import Task

EXECUTED: Final = "Plan executed successfully - checking goal"
VALID: Final = "Plan valid"
FINAL_VALUE: Final = "Final value: "
GOAL_MISSED: Final = "Goal not satisfied"
INVALID: Final = "Plan invalid"
NOT_EXECUTED: Final = "Plan failed to execute"
BAD_PLAN: Final = "Bad plan description!"

_GOAL_ADVICE: Final = "The goal is not satisfied"
_CHANGE: Final = {
    "assign": "assignment",
    "increase": "increase",
    "decrease": "decrease",
    "scale-up": "scale up",
    "scale-down": "scale down",
}


def value_text(value: Number | None) -> str:
    """Return a number with VAL's ten significant digits."""
    return "undefined" if value is None else number_decimal(value, 10)


class Account:
    """VAL's account of a plan's execution, printed with ``-v``, and its advice."""

    def __init__(self, task: Task, plan: Plan, *, keep_going: bool = False) -> None:
        self._task = task
        self._plan = plan
        self._failed: list[tuple[Number, Failure]] = []
        self._final: State | None = None if plan else task.initial_state()
        self.happenings = 0
        """Number of happenings."""
        self._details: list[str] = []
        for made in task.narrate(plan, keep_going=keep_going, invariants=True):
            # Without -c, VAL stops at the first failure.
            happening = made if keep_going else made._replace(failures=made.failures[:1])
            self.happenings += not happening.of_invariants
            self._failed += [(happening.time, failure) for failure in happening.failures]
            time = value_text(happening.time)
            self._details += ("", f"Checking next happening (time {time})")
            for failure in happening.failures:
                self._details += _failure_lines(failure)
            self._details += _change_lines(happening)
            self._final = happening.after

    def listing(self) -> Iterator[str]:
        """Yield the lines that list the plan."""
        happenings = self._task.listed(self._plan)
        size = sum(not steps[0].startswith("Invariant") for _, steps in happenings)
        yield from ("Plan to validate:", "", f"Plan size: {size}")
        for time, steps in happenings:
            yield from (f"{value_text(time)}:", *steps, " ")
        yield ""

    def details(self) -> Iterator[str]:
        """Yield the lines on each happening, up to the first that fails."""
        if self._details:
            yield from ("Plan Validation details", "-----------------------", *self._details)

    @property
    def goal_missed(self) -> bool:
        """Whether the execution reached the end but not the goal."""
        return self._final is not None and not self._task.goal_holds(self._final)

    def report(self) -> Iterator[str]:
        """Yield the lines of the error report, one for each failure."""
        if self._failed or self.goal_missed:
            yield from ("", "Error Report:")
        for time, failure in self._failed:
            yield f"{failure.step} fails at time {value_text(time)}: {failure.reason}"
        if self.goal_missed:
            yield _GOAL_ADVICE

    def advice(self) -> Iterator[str]:
        """Yield the repair advice."""
        missed = self.goal_missed
        advised = [pair for pair in self._failed if pair[1].advice or pair[1].wrong]
        if not missed and not advised:
            return
        yield from ("", "Plan Repair Advice:")
        for time, failure in advised:
            at = value_text(time)
            fault = f"has an unsatisfied precondition at time {at}"
            if failure.since is not None:
                fault = (
                    f"has its condition unsatisfied between time {value_text(failure.since)} to "
                    f"{at}, the condition is satisfied on the empty set. "
                )
            yield from ("", f"{failure.step} {fault}")
            if failure.wrong and failure.step.endswith("- start"):  # as in VAL, not at the end
                yield _duration_advice(failure.wrong)
            yield from failure.advice.splitlines()
        if missed and self._final is not None:
            yield from ("", _GOAL_ADVICE)
            yield from self._task.goal_advice(self._final).splitlines()


def _duration_advice(wrong: WrongDuration) -> str:
    advice = f"Set the duration to {value_text(wrong.bound)}"
    if wrong.operator != "=":
        way = "Increase" if wrong.operator.startswith(">") else "Decrease"
        advice = f"{way} duration by at least {value_text(wrong.difference)}"
    return f"Failed duration constraint: {advice}"


def _failure_lines(failure: Failure) -> Iterator[str]:
    if failure.wrong:
        if "=" in failure.wrong.operator:
            tolerance = value_text(failure.wrong.difference)
            yield f"Tolerance of {tolerance} required for {failure.step}"
        yield f"Failed duration constraint in {failure.step}"
    if failure.advice or failure.wrong:
        yield "Plan failed because of unsatisfied precondition in:"
        yield failure.step
    else:
        yield f"{failure.step}: {failure.reason}"


def _warnings(step: str, changes: Changes) -> Iterator[str]:
    """Yield VAL's warnings about several effects of a step on one atom or fluent."""
    added: set[Ground] = set()
    for atom in changes.adds:
        if atom in added:
            yield f"WARNING: {step} adds the literal {atom_text(atom)} twice"
        added.add(atom)
    deleted: set[Ground] = set()
    for atom in changes.deletes:
        if atom in added:
            yield f"WARNING: {step} adds and deletes the literal {atom_text(atom)}"
        elif atom in deleted:
            yield f"WARNING: {step} deletes the literal {atom_text(atom)} twice"
        deleted.add(atom)
    updated_before: set[Ground] = set()
    for fluent, _, _ in changes.updates:
        if fluent in updated_before:
            # VAL prints no space there.
            yield f"WARNING: {step} assigns to expression {atom_text(fluent)}twice"
        updated_before.add(fluent)


def _change_lines(happening: Happening) -> Iterator[str]:
    values = dict(happening.before.values)
    for step, changes in zip(happening.steps, happening.changes, strict=False):
        yield from _warnings(step, changes)
    for changes in happening.changes:
        yield from (f"Deleting {atom_text(atom)}" for atom in changes.deletes)
    for changes in happening.changes:
        # An atom whose name is a variable is how a durative action remembers its start.
        known = (atom for atom in changes.adds if not atom[0].startswith("?"))
        yield from (f"Adding {atom_text(atom)}" for atom in known)
    for changes in happening.changes:
        for change in changes.updates:
            fluent, operator, amount = change
            was, by = value_text(values.get(fluent)), value_text(amount)
            yield f"Updating {atom_text(fluent)} ({was}) by {by} {_CHANGE[operator]}"
            values.update(updated([change], values))
