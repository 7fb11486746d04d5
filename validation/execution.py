"""Execute the steps of a plan and return the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.errors import NotJudged, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.plan_reader import Steps
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.transition_system import TransitionSystem

if TYPE_CHECKING:
    from pddl_pipeline.validation.explanation import Unsatisfied

_REASON_LIMIT = 400


def verdict_on(
    steps: Steps,
    system: TransitionSystem,
    budget: Number | None,
) -> Verdict:
    """Return the verdict on steps that are all actions of the task.

    Args:
        steps: the plan.
        system: the task.
        budget: maximum cost of the plan; None for no limit.
    """
    count = len(steps.words)
    try:
        state = system.initial_state()
        _execute(steps, system, state)
        missing = system.missing_goals(state)
        return _goal_missed(count, missing) if missing else _valid(count, system, state, budget)
    except StepFails as error:
        return Verdict(
            Status.INVALID, count, failed_step=error.step, reason=_cut(error.reason),
            unsatisfied=error.conditions,
        )  # fmt: skip
    except NotJudged as error:
        return Verdict(Status.UNDECIDED, count, reason=str(error))


def _valid(count: int, system: TransitionSystem, state: State, budget: Number | None) -> Verdict:
    try:
        cost = system.cost(state, count)
    except CannotEvaluate as error:
        reason = f"the metric cannot be computed: {error}"
        return Verdict(Status.VALID, count, reason=reason)
    return Verdict(
        Status.VALID, count, cost, within_budget=None if budget is None else cost <= budget
    )


def _goal_missed(count: int, missing: list[Unsatisfied]) -> Verdict:
    why = "; ".join(found.why for found in missing)
    return Verdict(
        Status.INVALID, count, reason=_cut(f"goal not satisfied: {why}"),
        unsatisfied=tuple(found.condition for found in missing),
    )  # fmt: skip


def _execute(steps: Steps, system: TransitionSystem, state: State) -> None:
    """Apply the steps to a state in place.

    Raises:
        StepFails: as for `progress`.
        NotJudged: as for `progress`.
    """
    if steps.times:
        for _ in progress(steps, system, state):
            pass
        return
    # The same without groups: most of the time is spent here.
    failing = system.first_failing(steps.words, state)
    if failing is not None:
        words = steps.words[failing]
        try:
            system.apply(words, state)
        except StepFails as error:
            raise _at(failing + 1, words, error) from None


def progress(steps: Steps, system: TransitionSystem, state: State) -> Iterator[None]:
    """Apply the steps to a state in place; yield after each step or group of simultaneous steps.

    Raises:
        StepFails: a step is not applicable, or interferes with another; the reason names them.
        NotJudged: as for `TransitionSystem.changes`.
    """
    for number, group in steps.happenings():
        if len(group) > 1:
            check_together(number, group, system, state)
        # Steps that do not interfere have the same effect when applied in sequence.
        for position, words in enumerate(group, start=number):
            try:
                system.apply(words, state)
            except StepFails as error:
                raise _at(position, words, error) from None
        yield


def _at(position: int, words: list[str], error: StepFails) -> StepFails:
    reason = f"step {position} {atom_text(words)}: {error.reason}"
    return StepFails(reason, error.conditions, position)


def check_together(
    number: int,
    group: list[list[str]],
    system: TransitionSystem,
    state: State,
) -> None:
    """Check that steps may happen at the same time in a state.

    Args:
        number: 1-based position of the first step.
        group: the steps, as words.
        system: the task.
        state: the state before the steps.

    Raises:
        StepFails: a step is not applicable, or two steps interfere.
        NotJudged: as for `TransitionSystem.changes`.
    """
    # Imported here because few plans have simultaneous steps.
    from pddl_pipeline.validation.interference import Footprint, Simultaneous  # noqa: PLC0415

    together = Simultaneous()
    for position, words in enumerate(group, start=number):
        try:
            changes = system.changes(words[0], words[1:], state)
        except StepFails as error:
            raise _at(position, words, error) from None
        action = system.schemas[words[0]].action
        footprint = Footprint(system.semantics, system.sources, state)
        footprint.read(action, action.binding(words[1:]))
        clash = together.clash(footprint, changes)
        if clash is not None:
            shared, other = clash
            reason = f"steps {other} and {position} at the same time interfere over {shared}"
            raise StepFails(reason, step=position)
        together.add(position, footprint, changes)


def _cut(reason: str) -> str:
    return reason if len(reason) <= _REASON_LIMIT else f"{reason[:_REASON_LIMIT]}…"


class PlanProgress(NamedTuple):
    """How far a plan gets, also if it is not valid."""

    steps: int
    """Number of steps."""
    executed: int
    """Number of steps before the first that does not exist or is not applicable."""
    goals: float
    """Of the parts of the goal that do not hold at the start, the largest share that holds in a
    state that the executed steps reach; 1 if the whole goal holds at the start."""
    reached: bool
    """Whether all steps are executed and the goal holds at the end."""
    cost: Number | None = None
    """The cost of the plan; None if it cannot be computed, or the goal is not reached."""


def plan_progress(steps: Steps, system: TransitionSystem, *, known: bool) -> PlanProgress:
    """Return how far steps get.

    Args:
        steps: the plan.
        system: the task.
        known: whether all steps are actions of the task; otherwise, one that is none ends the
            execution.

    Raises:
        NotJudged: a number, quantifier or axiom exceeds the limits of the validator in the initial
            state. A later state that exceeds them ends the execution.
    """
    state = system.initial_state()
    missing = least = now = system.missing_parts(state)
    executed = 0
    for position, group in steps.happenings():
        try:
            if not _happens(position, group, system, state, known=known):
                break
            now = system.missing_parts(state)
        except (StepFails, NotJudged):
            break
        executed += len(group)
        least = min(least, now)
    count = len(steps.words)
    reached = executed == count and not now
    cost = None
    if reached:
        with suppress(CannotEvaluate):
            cost = system.cost(state, count)
    goals = 1 - least / missing if missing else 1.0
    return PlanProgress(count, executed, goals, reached, cost)


def _happens(
    position: int, group: list[list[str]], system: TransitionSystem, state: State, *, known: bool
) -> bool:
    """Apply simultaneous steps to a state in place; return whether all exist and are applicable.

    See `plan_progress` and `check_together`.
    """
    if not (known or all(map(system.takes, group))):
        return False
    if len(group) == 1:
        return system.try_step(group[0], state)
    check_together(position, group, system, state)
    return all(system.try_step(words, state) for words in group)
