"""The happenings of a plan in time, and what durative actions require besides their parts.

A durative action happens at its start and at its end, as two actions (Fox and Long 2003, definition
18). Its invariant must hold in every state in between: after each happening from the start on, and
before the end. Timed literals happen as actions without conditions (Edelkamp and Hoffmann 2004).
Times are rational and exact: only what has equal times happens together.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

from pddl_pipeline.model.errors import StepFails
from pddl_pipeline.model.number import Number, normal, number_text
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.explanation import Unsatisfied, expression_text, unsatisfied
from pddl_pipeline.validation.language import (
    DURATION,
    OCCURRENCE,
    Action,
    And,
    Binding,
    DurationBound,
    Ground,
)
from pddl_pipeline.validation.plan_reader import Moment, Steps, time_text
from pddl_pipeline.validation.schema import Conjunction, GroundConjunction
from pddl_pipeline.validation.semantics import Environment, Frame
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.transition_system import TransitionSystem


class _Occurrence(NamedTuple):
    """A durative action in a plan."""

    position: int
    action: Action
    binding: Binding
    start: Number
    duration: Number
    written: str
    """The duration as in the plan."""
    half: Number
    """Half of the last printed decimal of the duration; 0 if it has no decimals."""
    invariant: GroundConjunction

    @property
    def text(self) -> str:
        """The step in words."""
        objects = (self.binding[each.name] for each in self.action.parameters)
        return f"step {self.position} {atom_text((self.action.name, *objects))}"


class Timeline:
    """The happenings of a plan with durative actions or timed literals."""

    def __init__(self, steps: Steps, system: TransitionSystem) -> None:
        self._system = system
        self._occurrences: dict[str, _Occurrence] = {}
        self._active: dict[str, _Occurrence] = {}
        self.rounded: list[str] = []
        """Where a printed duration counts as the exact one, which rounds to it."""
        found = defaultdict[Number, list[tuple[int, Ground]]](list)
        for time, action in system.facts.timed:
            found[time].append((0, (action.name,)))
        last: Number = 0
        for index, words in enumerate(steps.words):
            action = system.vocabulary.actions[words[0]]
            start = normal(steps.times[index]) if steps.times else index + 1
            end = start
            if action.durative is None:
                found[start].append((index + 1, words))
            else:
                end = self._add(action, words, index + 1, start, steps.durations[index] or "")
                name = f"@{index + 1}"
                snaps = action.durative.start.name, action.durative.end.name
                found[start].append((index + 1, (snaps[0], *words[1:], name)))
                found[end].append((index + 1, (snaps[1], *words[1:], name)))
            last = max(last, end)
        self.makespan = last
        """The time of the last happening of a step."""
        self.moments = [
            Moment(time, [position for position, _ in found[time]], [w for _, w in found[time]])
            for time in sorted(found)
        ]
        """The happenings in order, also those of timed literals after the plan, as in VAL."""

    def _add(
        self, action: Action, words: Ground, position: int, start: Number, written: str
    ) -> Number:
        """Record an occurrence of a durative action; return its end."""
        duration = normal(Fraction(written))
        digits = len(written.partition(".")[2])
        half = Fraction(1, 2 * 10**digits) if digits else 0
        name = f"@{position}"
        binding = {**action.binding(words[1:]), OCCURRENCE.name: name}
        conjunction, words_of_frame = self._invariant(action)
        invariant = GroundConjunction(conjunction, (*binding.values(), *words_of_frame))
        self._occurrences[name] = _Occurrence(
            position, action, binding, start, duration, written, half, invariant
        )
        return normal(Fraction(start + duration))

    def _invariant(self, action: Action) -> tuple[Conjunction, Environment]:
        """Return the invariant of an action, compiled, and the words of its frame."""
        known = self._system.invariants.get(action.name)
        if known is None:
            frame = Frame([*(each.name for each in action.parameters), OCCURRENCE.name])
            invariant = action.durative.invariant if action.durative else And(())
            compiled = Conjunction(self._system.semantics, invariant, frame)
            known = self._system.invariants[action.name] = compiled, frame.words
        return known

    def initial_state(self) -> State:
        """Return the initial state, with the durations as values.

        Raises:
            NotJudged: an axiom cannot be evaluated in it.
        """
        state = self._system.initial_state()
        state.values.update({(DURATION, k): each.duration for k, each in self._occurrences.items()})
        return state

    def before(self, moment: Moment, state: State) -> None:
        """Check the durations of the actions that start or end.

        Raises:
            StepFails: a duration is wrong, or its bound cannot be evaluated.
        """
        for words in moment.group:
            for bound in self._system.steps[words].schema.action.bounds:
                self._check(self._occurrences[words[-1]], bound, state)

    def _check(self, found: _Occurrence, bound: DurationBound, state: State) -> None:
        semantics, what = self._system.semantics, expression_text(bound.value, found.binding)
        try:
            value = semantics.value(bound.value, found.binding, state)
        except CannotEvaluate as error:
            reason = f"{found.text}: the bound {what} of the duration cannot be evaluated: {error}"
            raise StepFails(reason, step=found.position) from None
        if semantics.comparisons[bound.operator](found.duration, value):
            return
        difference = Fraction(found.duration) - value
        if bound.operator in ("=", "<=", ">=") and -found.half <= difference <= found.half:
            note = f"{found.text}: the duration {found.written} is {number_text(value)} rounded"
            self.rounded.append(note)
            return
        given = "" if what == number_text(value) else f", which is {number_text(value)}"
        reason = f"{found.text}: the duration {found.written} is not {bound.operator} {what}{given}"
        condition = f"({bound.operator} {DURATION} {what})"
        raise StepFails(reason, (condition,), found.position)

    def after(self, moment: Moment, state: State) -> None:
        """Check the invariants of the actions under way in the state after a happening.

        Raises:
            StepFails: an invariant does not hold.
            NotJudged: an invariant exceeds the limits of the validator.
        """
        for words in moment.group:
            found = self._occurrences.get(words[-1]) if " " in words[0] else None
            if found is not None and found.start == moment.time and found.duration:
                self._active[words[-1]] = found
            elif found is not None:
                self._active.pop(words[-1], None)
        for found in self._active.values():
            missing = self._missing(found, state)
            if missing:
                end = time_text(normal(Fraction(found.start + found.duration)))
                until = f"from {time_text(found.start)} to {end}"
                why = "; ".join(each.why for each in missing)
                reason = f"{found.text}: over all {until}, at {time_text(moment.time)}: {why}"
                raise StepFails(reason, tuple(e.condition for e in missing), found.position)

    def _missing(self, found: _Occurrence, state: State) -> list[Unsatisfied]:
        try:
            if found.invariant.holds(state) or found.action.durative is None:
                return []
        except CannotEvaluate:
            pass  # the explanation says which part, and why
        durative = found.action.durative
        invariant = durative.invariant if durative else And(())
        return unsatisfied(self._system.semantics, invariant, found.binding, state)
