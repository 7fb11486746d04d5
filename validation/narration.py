"""What happens step by step when a plan is executed, told in full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

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
    """In words, with both sides' values of comparisons."""
    advice: str
    """VAL's repair advice, lines; empty where its precondition is not what fails."""


class Happening(NamedTuple):
    """Steps that happen at the same time: one, unless the plan has time stamps."""

    time: Number
    """The time stamp; in a plan without them the position of the step."""
    steps: list[str]
    """The steps as PDDL."""
    before: State
    """The state in which they happen."""
    changes: list[Changes]
    """What each does; empty where one fails."""
    failures: list[Failure]
    after: State | None
    """The state after them; None where the plan stops here."""


def narrated(
    steps: Steps, system: TransitionSystem, *, keep_going: bool = False
) -> Iterator[Happening]:
    """Yield what happens, up to the happening that fails.

    Args:
        steps: steps that are all actions of the task.
        system: the task.
        keep_going: do the effects of a step that fails all the same, as far as they can be
            computed, and go on (VAL's ``-c``).

    Where numbers or quantifiers outgrow what is computed, that is a failure, and the end.

    Raises:
        NotJudged: an axiom cannot be evaluated in the initial state.
    """
    state = system.initial_state()
    for number, group in steps.happenings():
        time = steps.times[number - 1] if steps.times else number
        texts = [f"({' '.join(words)})" for words in group]
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
            failures.append(Failure(f"({' '.join(words)})", error.reason, advice))
    if not failures and len(group) > 1:
        try:
            check_together(number, group, system, state)
        except StepFails as error:
            last = group[(error.step or number) - number]
            failures.append(Failure(f"({' '.join(last)})", error.reason, ""))
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
    """Return what the steps do one after the other, whether applicable or not."""
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
