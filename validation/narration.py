"""A full account of the execution of a plan, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from pddl_pipeline.model.errors import NotJudged, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import Ground
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
