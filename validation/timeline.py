"""The happenings of a plan in time, and what durative actions require besides their parts.

A durative action happens at its start and at its end, as two actions (Fox and Long 2003, definition
18). Its invariant must hold in every state in between: after each happening from the start on, and
before the end. Timed literals happen as actions without conditions (Edelkamp and Hoffmann 2004).
Times are rational and exact: only what has equal times happens together.

Planners print rounded durations. Happenings have the printed times; the bounds and ``?duration``
use the nearest duration that the bounds allow, if it is at most `_SLACK` away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import ErrorKind, NotJudged, StepFails, WrongDuration
from pddl_pipeline.model.number import Number, normal, number_text
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import CannotEvaluate, comparisons
from pddl_pipeline.validation.explanation import expression_text
from pddl_pipeline.validation.language import (
    DURATION,
    And,
    DurationBound,
    Durative,
    Fluent,
    Ground,
    walk,
)
from pddl_pipeline.validation.plan_reader import Moment, Steps, plan_number, time_text
from pddl_pipeline.validation.schema import GroundStep, Schema
from pddl_pipeline.validation.semantics import Environment
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.transition_system import TransitionSystem, step_text

_SLACK: Final = Fraction(1, 2000)
"""How far a printed duration may be from the one that is used: the rounding of three decimals, also
if fewer are printed, since `[5.0]` for 5.04 could hide what happens at 5.02."""


class _Occurrence(NamedTuple):
    """A durative action in a plan."""

    position: int
    words: Ground
    rest: Ground
    """The objects, and a name; each occurrence has its own if a part of the action reads it."""
    durative: Durative
    start: int
    """In ticks."""
    duration: Number
    """As printed."""
    written: str
    """The duration as in the plan."""
    invariant: GroundStep

    @property
    def text(self) -> str:
        """The step in words."""
        return f"step {self.position} {atom_text(self.words)}"


class Timeline:
    """The happenings of a plan with durative actions or timed literals."""

    def __init__(self, steps: Steps, system: TransitionSystem) -> None:
        self._system = system
        # All times are whole numbers of ticks, so that equal times are equal numbers.
        lengths = [plan_number(each) for each in steps.durations if each]
        numbers = (*lengths, *(time for time, _ in system.facts.timed))
        self._scale = lcm(steps.scale, *{number.denominator for number in numbers})
        self._found: dict[int, Moment] = {}
        """The happenings by their time in ticks, of which `_scale` are one unit of time."""
        self._occurrences: dict[int, _Occurrence] = {}
        self._watched = defaultdict[Ground, set[int]](set)
        """The occurrences under way whose invariants read an atom or a fluent."""
        self._unwatched: set[int] = set()
        """Those whose invariants are checked after every happening."""
        self._groups: dict[int, list[set[int]]] = {}
        """The groups above to which each occurrence under way belongs."""
        self._bounds = defaultdict[int, list[tuple[DurationBound, Number]]](list)
        """The bounds of each occurrence so far, with their values."""
        self._used: dict[int, Number] = {}
        """The duration of each occurrence that its bounds and effects use."""
        for time, literals in system.facts.timed:
            self._add(self._ticks(time), 0, (literals.name,))
        tick, ticks = self._scale // steps.scale, steps.ticks or range(1, len(steps.words) + 1)
        for position, words in enumerate(steps.words, start=1):
            start = ticks[position - 1] * tick
            durative = system.vocabulary.actions[words[0]].durative
            if durative is None:
                self._add(start, position, words)
                continue
            written = steps.durations[position - 1] or ""
            duration = plan_number(written)
            # Occurrences get separate names only where they differ; others share ground steps.
            rest = (*words[1:], f"@{position}" if durative.named else "@")
            invariant = system.steps[(durative.invariant.name, *rest)]
            self._occurrences[position] = _Occurrence(
                position, words, rest, durative, start, duration, written, invariant
            )
            self._add(start, position, (durative.start.name, *rest))
            self._add(start + self._ticks(duration), position, (durative.end.name, *rest))
        self.moments = [self._found[tick] for tick in sorted(self._found)]
        """The happenings in order, also those of timed literals after the plan, as in VAL."""
        # Timed literals have the position 0.
        own = (moment for moment in reversed(self.moments) if any(moment.positions))
        self.last = next(own, None)
        """The last happening of a step."""
        self.makespan = 0 if self.last is None else self.last.time
        """The time of the last happening of a step."""

    def _ticks(self, time: Number) -> int:
        numerator, denominator = time.as_integer_ratio()
        return numerator * (self._scale // denominator)

    def _add(self, tick: int, position: int, words: Ground) -> None:
        moment = self._found.get(tick)
        if moment is None:
            moment = self._found[tick] = Moment(tick, self._scale, [], [])
        moment.positions.append(position)
        moment.group.append(words)

    def initial_state(self) -> State:
        """Return the initial state, with the durations as values.

        Raises:
            NotJudged: an axiom cannot be evaluated in it.
        """
        state = self._system.initial_state()
        for occurrence in self._occurrences.values():
            if occurrence.durative.named:
                state.values[DURATION, occurrence.rest[-1]] = occurrence.duration
        return state

    def invariants(self) -> dict[int, list[Ground]]:
        """Return the invariants that hold until each happening, by its tick; none without any.

        VAL checks them as a happening at the time of the next one.
        """
        under_way: dict[int, Ground] = {}
        found: dict[int, list[Ground]] = {}
        for moment in self.moments:
            if under_way:
                found[moment.tick] = [*under_way.values()]
            for words, position in zip(moment.group, moment.positions, strict=True):
                step = self._occurrences.get(position)
                if step is None or words[0] != step.durative.start.name:
                    # A timed literal, the end of the action, or an instantaneous one.
                    under_way.pop(position, None)
                elif step.durative.invariant.precondition != And(()):
                    under_way[position] = (step.durative.invariant.name, *step.rest)
        return found

    def spans(self) -> Iterator[tuple[int, Ground, Number, Number]]:
        """Yield each durative action: its position, its invariant's words, its start and end."""
        for occurrence in self._occurrences.values():
            start = normal(Fraction(occurrence.start, self._scale))
            words = (occurrence.durative.invariant.name, *occurrence.rest)
            yield occurrence.position, words, start, normal(start + occurrence.duration)

    def before(self, moment: Moment, state: State) -> None:
        """Check the durations of the actions that start or end.

        Raises:
            StepFails: a duration is wrong, or its bound cannot be evaluated.
            NotJudged: the start used another duration than the bounds at the end allow.
        """
        for index, words in enumerate(moment.group):
            schema = self._system.schemas[words[0]]
            if schema.bounds:
                found = self._occurrences[moment.positions[index]]
                self._settle(found, schema, (*words, *schema.words), state)

    def _settle(
        self, found: _Occurrence, schema: Schema, environment: Environment, state: State
    ) -> None:
        """Set the duration that an occurrence uses; bounds at the end may set it again."""
        bounds, start = self._bounds[found.position], found.durative.start
        for bound, evaluate in schema.bounds:
            try:
                bounds.append((bound, evaluate(environment, state)))
            except CannotEvaluate as error:
                what = expression_text(bound.value, start.binding(found.rest))
                raise StepFails(
                    f"{found.text}: the bound {what} of the duration cannot be evaluated: {error}",
                    step=found.position,
                    code=ErrorKind.DURATION,
                ) from None
        # One duration must meet the bounds at the start and those at the end.
        duration = _nearest(found.duration, bounds)
        for bound, value in bounds:
            if not self._system.semantics.comparisons[bound.operator](duration, value):
                what = expression_text(bound.value, start.binding(found.rest))
                given = "" if what == number_text(value) else f", which is {number_text(value)}"
                fault = f"the duration {found.written} is not {bound.operator} {what}{given}"
                raise WrongDuration(
                    f"{found.text}: {fault}",
                    f"({bound.operator} {DURATION} {what})",
                    found.position,
                    operator=bound.operator,
                    values=(found.duration, value),
                )
        # What was computed at the start with the one duration cannot be computed again.
        before = self._used.get(found.position, found.duration)
        if (
            before != duration
            and schema.action.name == found.durative.end.name
            and _reads_duration_early(found.durative)
        ):
            raise NotJudged(
                f"{found.text}: the duration is {number_text(before)} at the start, "
                f"but {number_text(duration)} by the bounds at the end"
            )
        self._used[found.position] = duration
        if found.durative.named:
            state.values[DURATION, found.rest[-1]] = duration

    @property
    def rounded(self) -> list[str]:
        """Notes on the durations that are not used as they are printed."""
        used = ((self._occurrences[position], used) for position, used in self._used.items())
        return [
            f"{found.text}: the duration {found.written} counts as {number_text(duration)}"
            for found, duration in used
            if duration != found.duration
        ]

    def after(self, moment: Moment, made: Sequence[Changes], state: State) -> None:
        """Check the invariants of the actions under way in the state after a happening.

        Those that read only what did not change hold as before.

        Raises:
            StepFails: an invariant does not hold.
            NotJudged: an invariant exceeds the limits of the validator.
        """
        watched, due = self._watched, [*self._unwatched]
        for changes in made:
            # Only invariants that read what has changed are tested again: plans may have hundreds
            # at a time.
            for each in (*changes.adds, *changes.deletes, *changes.values):
                if each in watched:
                    due += watched[each]
        for index, words in enumerate(moment.group):
            position = moment.positions[index]
            found = self._occurrences.get(position)
            if found is not None and words[0] == found.durative.start.name:
                due.append(position)
                self._watch(found, state)
            elif found is not None:
                for group in self._groups.pop(position, ()):
                    group.discard(position)
        if due:
            self._check_invariants(sorted(set(due) & self._groups.keys()), moment, made, state)

    def _check_invariants(
        self, due: list[int], moment: Moment, made: Sequence[Changes], state: State
    ) -> None:
        for position in due:
            found = self._occurrences[position]
            try:
                self._system.changes((found.durative.invariant.name, *found.rest), state)
            except StepFails as error:
                for other in due:  # if the plan goes on, they are checked again
                    self._unwatched.add(other)
                    self._groups[other].append(self._unwatched)
                start = Fraction(found.start, self._scale)
                until = f"from {time_text(start)} to {time_text(start + found.duration)}"
                why = f"over all {until}, at {time_text(moment.time)}: {error.reason}"
                why = "; ".join((why, *self._changed(found.invariant, moment, made, state)))
                raise StepFails(
                    f"{found.text}: {why}", error.conditions, position, ErrorKind.INVARIANT
                ) from None

    def _changed(
        self, invariant: GroundStep, moment: Moment, made: Sequence[Changes], state: State
    ) -> Iterator[str]:
        """Yield what each step of a happening changes of what a broken invariant reads."""
        read = self._system.failing_footprint(invariant, state)
        for words, position, changes in zip(moment.group, moment.positions, made, strict=True):
            for verb, changed in (
                ("deletes", changes.deletes),
                ("adds", changes.adds),
                ("changes", changes.values),
            ):
                for each in read.touched(changed):
                    yield f"{step_text(words, position)} {verb} {atom_text(each)}"

    def _watch(self, found: _Occurrence, state: State) -> None:
        """Add an occurrence to the groups of those whose invariants read the same."""
        groups, step = [self._unwatched], found.invariant
        # Other invariants may read different atoms from state to state, and stay unwatched.
        if step.schema.plain:
            reads = step.footprint or self._system.footprint(step, state)
            if not reads.patterns:
                groups = [self._watched[each] for each in reads.every]
        for group in groups:
            group.add(found.position)
        self._groups[found.position] = groups


def _nearest(printed: Number, bounds: Sequence[tuple[DurationBound, Number]]) -> Number:
    """Return the nearest duration that bounds allow, or the printed one if none is close enough.

    A strict bound allows no nearest one. A duration of 0 is never used for a positive one, nor the
    other way round: the start and the end would happen together.
    """
    exact, nearest = comparisons(0), printed
    for bound, value in bounds:
        # Towards the bound that is violated; `_SLACK` decides below whether that is near enough.
        if bound.operator in ("=", "<=", ">=") and not exact[bound.operator](nearest, value):
            nearest = value
    if nearest is printed:
        return printed
    is_allowed = (
        min(nearest, printed) > 0
        and -_SLACK <= nearest - printed <= _SLACK
        and all(exact[bound.operator](nearest, value) for bound, value in bounds)
    )
    return nearest if is_allowed else printed


def _reads_duration_early(durative: Durative) -> bool:
    """Return whether the start or the invariant reads ``?duration``."""
    start = durative.start
    read = walk(
        *start.effects,
        start.precondition,
        durative.invariant.precondition,
        *(preference.condition for preference in start.preferences),
    )
    return any(isinstance(part, Fluent) and part.function == DURATION for part, _ in read)
