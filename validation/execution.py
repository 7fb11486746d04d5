"""Execute the steps of a plan, and return the verdict or a full account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from pddl_pipeline.model.errors import NotJudged, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.plan_reader import Steps
from pddl_pipeline.validation.state import Changes, State
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
        for number, group in steps.happenings():
            system.happen(group, state, number)
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


def plan_progress(steps: Steps, system: TransitionSystem) -> PlanProgress:
    """Return how far steps get.

    Args:
        steps: the plan; a step that is no action of the task ends the execution.
        system: the task.

    Raises:
        NotJudged: a number, quantifier or axiom exceeds the limits of the validator in the initial
            state. A later state that exceeds them ends the execution.
    """
    state = system.initial_state()
    missing = least = now = system.missing_parts(state)
    executed = 0
    for position, group in steps.happenings():
        try:
            system.happen(group, state, position, explain=False)
            now = system.missing_parts(state)
        except (StepFails, NotJudged, KeyError):
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


class Failure(NamedTuple):
    """Why a step of a happening fails."""

    step: str
    """The step as PDDL."""
    reason: str
    """The reason in words; for comparisons, with the values of both sides."""
    advice: str
    """Lines of VAL's repair advice; empty unless the step's precondition fails."""


class Happening(NamedTuple):
    """Steps that happen at the same time; a single step unless the plan has time stamps."""

    time: Number
    """The time stamp, or the position of the step if the plan has none."""
    steps: list[str]
    """The steps as PDDL."""
    before: State
    """The state in which they happen."""
    changes: list[Changes]
    """The changes that each step makes; empty if a step fails and execution stops."""
    failures: list[Failure]
    after: State | None
    """The state after them; None if execution stops here."""


def narrated(
    steps: Steps, system: TransitionSystem, *, keep_going: bool = False
) -> Iterator[Happening]:
    """Yield the happenings of a plan, up to the first that fails.

    Args:
        steps: steps that are all actions of the task.
        system: the task.
        keep_going: apply the effects of a failed step anyway, if they can be computed, and
            continue (VAL's ``-c``). If one of several steps at one time fails, none is applied.

    A number or quantifier that exceeds the limits of the validator is a failure and ends the
    execution.

    Raises:
        NotJudged: an axiom cannot be evaluated in the initial state.
    """
    state = system.initial_state()
    for number, group in steps.happenings():
        time = steps.times[number - 1] if steps.times else number
        texts = [atom_text(words) for words in group]
        failures: list[Failure] = []
        made: list[Changes] = []
        now = state.copy()
        after: State | None = now
        try:
            try:
                made = system.happen(group, now, number)
            except StepFails as error:
                failures = _failures(group, system, state)
                if not failures:  # the steps are applicable, but interfere
                    last = texts[(error.step or number) - number]
                    failures = [Failure(last, error.reason, "")]
                if not keep_going:
                    after = None
                elif len(group) == 1:
                    made = _forced(group[0], system, now)
        except NotJudged as error:
            failures, after = [Failure(texts[0], str(error), "")], None
        yield Happening(time, texts, state, made, failures, after)
        if after is None:
            return
        state = after


def _failures(group: list[Ground], system: TransitionSystem, state: State) -> list[Failure]:
    failures = []
    for words in group:
        try:
            system.changes(words, state)
        except StepFails as error:
            action, advice = system.steps[words].schema.action, ""
            if error.conditions:
                binding = action.binding(words[1:])
                advice = system.advisor(state).advice(action.precondition, binding)
            failures.append(Failure(atom_text(words), error.reason, advice))
    return failures


def _forced(step: Ground, system: TransitionSystem, state: State) -> list[Changes]:
    """Apply the effects of a step that is not applicable, if they can be computed."""
    with suppress(CannotEvaluate):
        made = [system.steps[step].effects(state)]
        system.apply(made, state)
        return made
    return []
