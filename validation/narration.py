"""A full account of the execution of a plan, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.errors import NotJudged, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.execution import check_together
from pddl_pipeline.validation.plan_reader import Steps
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.transition_system import TransitionSystem


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
        keep_going: apply the effects of a failed step anyway, as far as they can be computed,
            and continue (VAL's ``-c``).

    A number or quantifier that exceeds the limits of the validator is a failure and ends the
    execution.

    Raises:
        NotJudged: an axiom cannot be evaluated in the initial state.
    """
    state = system.initial_state()
    for number, group in steps.happenings():
        time = steps.times[number - 1] if steps.times else number
        texts = [atom_text(words) for words in group]
        changes: list[Changes] = []
        after: State | None = None
        try:
            failures = _failures(number, group, system, state)
            if keep_going or not failures:
                changes = _changes(group, system, state)
                after = _after(changes, system, state)
        except NotJudged as error:
            failures = [Failure(texts[0], str(error), "")]
        yield Happening(time, texts, state, changes, failures, after)
        if after is None:
            return
        state = after


def _failures(
    number: int, group: list[list[str]], system: TransitionSystem, state: State
) -> list[Failure]:
    failures = []
    for words in group:
        try:
            system.changes(words[0], words[1:], state)
        except StepFails as error:
            advice = _advice(words, system, state) if error.conditions else ""
            failures.append(Failure(atom_text(words), error.reason, advice))
    if not failures and len(group) > 1:
        try:
            check_together(number, group, system, state)
        except StepFails as error:
            last = group[(error.step or number) - number]
            failures.append(Failure(atom_text(last), error.reason, ""))
    return failures


def _advice(words: list[str], system: TransitionSystem, state: State) -> str:
    action = system.schemas[words[0]].action
    return system.advisor(state).advice(action.precondition, action.binding(words[1:]))


def _after(changes: list[Changes], system: TransitionSystem, state: State) -> State:
    after = state.copy()
    for each in changes:
        each.apply(after)
    system.axioms.complete(after)
    return after


def _changes(group: list[list[str]], system: TransitionSystem, state: State) -> list[Changes]:
    """Return the changes that the steps make in sequence, whether applicable or not."""
    now = state.copy()
    found = []
    for words in group:
        try:
            changes = system.schemas[words[0]].effects(words[1:], now)
        except CannotEvaluate:
            continue
        changes.apply(now)
        found.append(changes)
    return found
