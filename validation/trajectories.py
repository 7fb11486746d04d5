"""Preferences and trajectory constraints (PDDL 3, Gerevini and Long 2005).

The states of a plan are the initial state, at time 0, and those after each happening. A preference
is violated once for each binding of the variables around it, and one of a precondition once more
each time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import compress, count
from operator import gt
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import ErrorKind, NotJudged, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.explanation import condition_text
from pddl_pipeline.validation.language import (
    And,
    Binding,
    Condition,
    Ground,
    Preference,
    Trajectory,
)
from pddl_pipeline.validation.plan_reader import time_text
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.transition_system import TransitionSystem


class _Seen(NamedTuple):
    """What the conditions of a constraint were in the states."""

    at: list[Number]
    first: list[bool]
    second: list[bool]
    """Empty if there is one condition."""
    times: Sequence[Number]
    """The times that the constraint names."""


def _at_end(seen: _Seen) -> int | None:
    return None if seen.first[-1] else len(seen.at) - 1


def _always(seen: _Seen) -> int | None:
    return seen.first.index(False) if False in seen.first else None


def _sometime(seen: _Seen) -> int | None:
    return None if any(seen.first) else len(seen.at) - 1


def _within(seen: _Seen) -> int | None:
    (limit,) = seen.times
    if any(holds and at <= limit for at, holds in zip(seen.at, seen.first, strict=True)):
        return None
    return next((i for i, at in enumerate(seen.at) if at > limit), len(seen.at) - 1)


def _at_most_once(seen: _Seen) -> int | None:
    # The states that begin a run: true now, false before.
    begins = [*compress(count(), map(gt, seen.first, [False, *seen.first]))]
    return begins[1] if len(begins) > 1 else None


def _sometime_after(seen: _Seen) -> int | None:
    # Of a state itself, too: the second condition holds in a state j >= i.
    last = max((i for i, holds in enumerate(seen.second) if holds), default=-1)
    return next((i for i, holds in enumerate(seen.first) if holds and i > last), None)


def _sometime_before(seen: _Seen) -> int | None:
    # Not of the state itself: the second condition holds in a state j < i.
    first = seen.second.index(True) if True in seen.second else len(seen.at)
    return next((i for i, holds in enumerate(seen.first) if holds and i <= first), None)


def _always_within(seen: _Seen) -> int | None:
    (limit,) = seen.times
    due: int | None = None
    # Backwards, with the time of the next state in which the second condition holds.
    after: Number | None = None
    for i in reversed(range(len(seen.at))):
        after = seen.at[i] if seen.second[i] else after
        if seen.first[i] and (after is None or after - seen.at[i] > limit):
            due = i
    return due


def _hold_during(seen: _Seen) -> int | None:
    start, end = seen.times
    inside = (i for i in _lasting_beyond(seen, start) if seen.at[i] < end)
    return next((i for i in inside if not seen.first[i]), None)


def _hold_after(seen: _Seen) -> int | None:
    (start,) = seen.times
    return next((i for i in _lasting_beyond(seen, start) if not seen.first[i]), None)


def _lasting_beyond(seen: _Seen, time: Number) -> Iterator[int]:
    """Yield the states that last beyond a time: until the next one, and the last without end."""
    yield from (i for i, following in enumerate(seen.at[1:]) if following > time)
    yield len(seen.at) - 1


_VIOLATION: Final[dict[str, Callable[[_Seen], int | None]]] = {
    "always": _always,
    "always-within": _always_within,
    "at end": _at_end,
    "at-most-once": _at_most_once,
    "hold-after": _hold_after,
    "hold-during": _hold_during,
    "sometime": _sometime,
    "sometime-after": _sometime_after,
    "sometime-before": _sometime_before,
    "within": _within,
}
"""For each constraint, the function that returns the number of the state that violates it."""


class _Monitor:
    """A constraint for certain objects."""

    def __init__(self, trajectory: Trajectory, binding: Binding, at: list[Number]) -> None:
        """The times of the states are shared by all monitors."""
        self.trajectory, self.binding = trajectory, binding
        first, second = list[bool](), list[bool]()
        self._seen = _Seen(at, first, second, trajectory.times)

    def observe(self, state: State, holds: Callable[..., bool]) -> None:
        """Evaluate the conditions in the last state; since the one before, nothing has changed."""
        self._catch_up(len(self._seen.at) - 1)
        for condition, values in zip(self.trajectory.conditions, self._seen[1:3], strict=False):
            values.append(holds(condition, self.binding, state))

    def _catch_up(self, count: int) -> None:
        for values in self._seen[1:3]:
            # In the states in between, the condition was as in the last one that was evaluated.
            values.extend(values[-1:] * (count - len(values)))

    def violation(self) -> str | None:
        """Return the constraint with the time at which it is violated, or None."""
        self._catch_up(len(self._seen.at))
        found = _VIOLATION[self.trajectory.kind](self._seen)
        if found is None:
            return None
        times = map(time_text, self.trajectory.times)
        parts = (
            condition_text(condition, self.binding) for condition in self.trajectory.conditions
        )
        text = f"({' '.join([self.trajectory.kind, *times, *parts])})"
        return f"{text} is violated at {time_text(self._seen.at[found])}"


class Trajectories:
    """The constraints and preferences of a task, and how a plan meets them."""

    def __init__(self, system: TransitionSystem) -> None:
        self._system = system
        self.violations = dict.fromkeys(sorted(system.vocabulary.preferences), 0)
        """The number of violations of each preference."""
        self._at: list[Number] = []
        """The times of the states."""
        bindings = system.semantics.bindings
        self._constraints = [
            (
                constraint.preference,
                [
                    _Monitor(trajectory, inner, self._at)
                    for variables, trajectory in constraint.trajectories
                    for inner in bindings(variables, outer)
                ],
            )
            for constraint in system.facts.constraints
            for outer in bindings(constraint.variables, {})
        ]
        self._monitors = [monitor for _, monitors in self._constraints for monitor in monitors]
        self._readers = defaultdict[Ground, list[int]](list)
        """The numbers of the monitors that read an atom or a fluent."""
        self._always: set[int] = set()
        """Those whose conditions are evaluated in every state."""

    def observe(self, time: Number, state: State, made: Sequence[Changes] = ()) -> None:
        """Take account of a state, in the order of the states.

        Args:
            time: the time of the state.
            state: the state.
            made: the changes that lead to it, unless it is the first one.

        Raises:
            NotJudged: a condition of a constraint cannot be evaluated.
        """
        self._at.append(time)
        # Conditions that read nothing new keep their values: a task may have 100 preferences.
        due = {*self._always} if len(self._at) > 1 else {*range(len(self._monitors))}
        for changes in made:
            for each in (*changes.adds, *changes.deletes, *changes.values):
                due.update(self._readers.get(each, ()))
        for number in sorted(due):
            self._monitors[number].observe(state, self._holds)
            if len(self._at) == 1:
                self._watch(number, state)

    def _watch(self, number: int, state: State) -> None:
        """Find out what the conditions of a monitor read."""
        monitor = self._monitors[number]
        try:
            conditions = And(monitor.trajectory.conditions)
            read = self._system.reading(conditions, monitor.binding, state)
        except NotJudged:  # too many combinations
            self._always.add(number)
            return
        for each in read.atoms | read.fluents:
            self._readers[each].append(number)
        if read.patterns:  # derived atoms are no changes of a step
            self._always.add(number)

    def _holds(self, condition: Condition, binding: Binding, state: State) -> bool:
        try:
            return self._system.semantics.holds(condition, binding, state)
        except CannotEvaluate as error:
            text = condition_text(condition, binding)
            raise NotJudged(f"cannot decide {text}: {error}") from None

    def count(self, group: Sequence[Ground], state: State) -> None:
        """Count the preferences of steps that the state before them violates.

        Raises:
            NotJudged: a preference cannot be evaluated.
        """
        for step in group:
            action = self._system.steps[step].schema.action
            for preference in action.preferences:
                self._count(preference, action.binding(step[1:]), state)

    def _count(self, preference: Preference, outer: Binding, state: State) -> None:
        for binding in self._system.semantics.bindings(preference.variables, outer):
            self.violations[preference.name] += not self._holds(
                preference.condition, binding, state
            )

    def finish(self, state: State) -> None:
        """Count what the last state decides.

        Raises:
            StepFails: a constraint is violated that is not a preference.
            NotJudged: a preference cannot be evaluated.
        """
        for preference in self._system.facts.preferences:
            self._count(preference, {}, state)
        for name, monitors in self._constraints:
            violated = next(filter(None, (monitor.violation() for monitor in monitors)), None)
            if violated is not None and name is None:
                reason = f"constraint not satisfied: {violated}"
                raise StepFails(reason, code=ErrorKind.CONSTRAINT)
            if violated is not None and name is not None:
                self.violations[name] += 1
