"""The verdict on a plan with processes and events, in continuous time and exactly.

Between two changes of the state or of the running processes, every fluent is a polynomial of the
time since the first one (see `flow`). Rules (Fox and Long 2006):

- A process runs while its condition holds. Where the flow leads across the bound of a condition,
  those processes run whose conditions hold just after it; if no such choice is consistent, or
  several are, the plan is undecided.
- An event happens at the first time at which its condition holds; if the condition holds only just
  after a time, at that time. Events follow each other until none changes anything.
- At one time, the events that the flow brings about are before the steps of the plan.
- An invariant must hold between the start and the end of its action, not at both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import chain, combinations, compress
from typing import TYPE_CHECKING, Final, cast

from pddl_pipeline.model.errors import ErrorKind, NotJudged, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.exact_reals import (
    Algebraic,
    Polynomial,
    Real,
    integral,
    minus,
    plus,
    trimmed,
    value_at,
)
from pddl_pipeline.validation.execution import verdict_of
from pddl_pipeline.validation.flow import MAX_DEGREE, Mark, Piece, first, holds, real_text
from pddl_pipeline.validation.hybrid import GroundPart, UnderWay, hybrid_task
from pddl_pipeline.validation.language import (
    TOTAL_TIME,
    Atom,
    Comparison,
    Effect,
    Fluent,
    Ground,
    Update,
    conjuncts,
    fluents_in,
    walk,
)
from pddl_pipeline.validation.plan_reader import time_text
from pddl_pipeline.validation.transition_system import TransitionSystem, step_text, step_words

if TYPE_CHECKING:
    from pddl_pipeline.validation.hybrid import Trace
    from pddl_pipeline.validation.plan_reader import Moment, Steps

MAX_SWITCHES: Final = 1000
"""How often processes and events may switch between two steps of a plan."""
_SLOWER: Final = 5
"""How many switches one at an irrational time counts for."""
_MAX_ROUNDS: Final = 100
"""How often they may switch at one time."""
_MAX_CHOICES: Final = 6
"""How many processes may be at the bounds of their conditions at one time."""
# Points of a curve from one switch to the next, in charts only.
_SAMPLES: Final = 20


def continuous_verdict(
    steps: Steps, system: TransitionSystem, budget: Number | None, trace: Trace | None = None
) -> Verdict:
    """Return the verdict on the steps of a plan.

    Args:
        steps: steps that are all actions of the task.
        system: the task.
        budget: maximum cost of the plan; None for no limit.
        trace: what records the values and the happenings; None to record nothing.

    Raises:
        NotJudged: the task cannot be judged in continuous time.
    """
    return verdict_of(_Run(steps, system, trace), budget)


class _Run:
    """The execution of a plan in continuous time."""

    def __init__(self, steps: Steps, system: TransitionSystem, trace: Trace | None) -> None:
        self.steps, self.system, self._trace = steps, system, trace
        task = hybrid_task(system)
        self._plan = task.plan(steps)
        self._processes, self._events = task.processes, task.events
        self._needs = [[*map(_needed, each)] for each in (task.processes, task.events)]
        """The atoms that each process and each event needs."""
        self.state = self._plan.timeline.initial_state()
        """The state; its values may be `Algebraic`."""
        self._time: Real = 0
        self._able: dict[int, GroundPart] = {}
        """The processes whose atoms hold."""
        self._running: frozenset[int] = frozenset()
        self._last_events: list[Ground] = []
        """The events at this time."""
        self._notes: list[str] = []
        self._broken: set[UnderWay] = set()
        """The invariants that do not hold at this time, before anything changes."""
        for each in self._plan.under_way:
            if each.end > self._plan.end:
                raise NotJudged(f"the plan ends before step {each.position} does")
        # `UnderWay.covers` excludes both ends, and a constraint holds at them, too.
        always = (-1, self._plan.end + 1)
        constraints = (UnderWay(each, 0, *always) for each in task.constraints)
        self._watched = (*constraints, *self._plan.under_way)

    def run(self) -> None:
        """Execute the plan.

        Raises:
            StepFails: a step is not applicable, or a condition does not hold that must hold.
            NotJudged: there is no verdict.
        """
        try:
            self._settle()
            for moment in self._plan.moments:
                self._flow_until(moment.time)
                self._happen(moment)
                self._settle()
            self._flow_until(self._plan.end)
        except CannotEvaluate as error:
            raise NotJudged(f"at {real_text(self._time)}, {error}") from None
        self._record(Piece(self.state), 0)

    def cost(self) -> Number:
        """Return the value of the metric at the end of the plan.

        Raises:
            CannotEvaluate: it reads an undefined fluent, divides by zero, or is irrational.
        """
        further: dict[Ground, Number] = {(TOTAL_TIME.function,): self._plan.end}
        cost = self.system.cost(self.state, len(self.steps.words), further)
        if isinstance(cost, Algebraic):
            raise CannotEvaluate(f"{cost} is irrational")
        return cost

    def timed(self, verdict: Verdict) -> Verdict:
        """Return a verdict with what only timed plans have."""
        # Timed literals have position 0; they do not make a plan longer.
        own = (moment.time for moment in self._plan.moments if any(moment.positions))
        notes = (*self._notes, *self._plan.timeline.rounded)
        count = len(self._plan.moments)
        end = self.steps.end
        makespan = max(own, default=0) if end is None else end
        return verdict.replace(makespan=makespan, happenings=count, notes=notes)

    # Between the steps

    def _flow_until(self, end: Number) -> None:
        switches = idle = 0
        while self._time != end:
            switches += _SLOWER if isinstance(self._time, Algebraic) else 1
            if switches > MAX_SWITCHES or idle > _MAX_ROUNDS:
                where = real_text(self._time)
                raise NotJudged(f"at {where}, processes and events switch too often")
            # Which processes run is decided anew for each piece, since any change may switch them.
            piece = self._next_piece()
            span = end - self._time
            # Times are relative to the start of the piece.
            due = [(mark, event) for event in self._able_events()
                   for mark in [self._due(event, piece, span)] if mark]  # fmt: skip
            marks = [mark for mark, _ in due] + [*self._switches(piece, span)]
            until = min((mark.time for mark in marks), default=span)
            self._watch(piece, until)
            # Switches without time in between: a limit of their own, or they could go on for ever.
            idle = idle + 1 if until == 0 else 0
            if until == 0:
                # An event just after now: it happens now, since no time is the first one after now.
                self._let([event for mark, event in due if mark.time == 0])
            else:
                self._advance(piece, until)
            self._settle()

    def _advance(self, piece: Piece, span: Real) -> None:
        """Let time pass."""
        self._record(piece, span)
        moved = {fluent: value_at(each, span) for fluent, each in piece.flow.items()}
        irrational = [each for each in moved.values() if isinstance(each, Algebraic)]
        # Roots of roots: each further one multiplies the degree, and the time of a comparison.
        if any(each.degree > MAX_DEGREE for each in irrational):
            raise NotJudged(f"at {real_text(self._time)}, the roots of too many polynomials matter")
        self.state.values.update(cast("dict[Ground, Number]", moved))
        self._time += span
        self._last_events = []

    def _record(self, piece: Piece, span: Real) -> None:
        """Record the curves of a piece of time."""
        if self._trace is None:
            return
        self._trace.state = self.state
        start, length = float(self._time), float(span)
        for sample in range(_SAMPLES + 1 if piece.flow else 1):
            moved = length * sample / _SAMPLES
            values = {name: float(each) for name, each in piece.values.items()}
            for name, polynomial in piece.flow.items():
                terms = (float(each) * moved**power for power, each in enumerate(polynomial))
                values[name] = sum(terms)
            self._trace.values(start + moved, values)

    def _next_piece(self) -> Piece:
        """Return what follows if nothing switches.

        Raises:
            NotJudged: no choice of running processes is consistent with their conditions, or
                several are.
        """
        state = Piece(self.state)
        self._able = {
            index: self._processes[index]
            for index, needed in enumerate(self._needs[0])
            if needed <= self.state.facts
        }
        running = frozenset(
            index for index, process in self._able.items() if holds(state.test(process.condition))
        )
        piece = self._flowing(running)
        # A condition that holds now, but not just after, if its own process moves it away.
        if not self._is_consistent(running, piece):
            running, piece = self._other_piece(running)
        for index in sorted(running ^ self._running):
            kind = "start" if index in running else "end"
            self._tell(self._processes[index].name, kind)
        self._running = running
        return piece

    def _other_piece(self, now: frozenset[int]) -> tuple[frozenset[int], Piece]:
        """Return what follows if some processes start or stop that are at their bounds."""
        where = real_text(self._time)
        bound = [index for index, each in self._able.items() if self._is_at_bound(each)]
        if len(bound) > _MAX_CHOICES:
            raise NotJudged(f"at {where}, more than {_MAX_CHOICES} processes switch")
        sizes = range(len(bound) + 1)
        # Only processes at their bounds can be on either side of them just after.
        subsets = chain.from_iterable(combinations(bound, size) for size in sizes)
        sets = (now.difference(bound).union(subset) for subset in subsets)
        choices = [(running, self._flowing(running)) for running in sets if running != now]
        choices = [choice for choice in choices if self._is_consistent(*choice)]
        # Several choices with the same flow differ in nothing that a plan could show.
        if not choices or any(piece.flow != choices[0][1].flow for _, piece in choices):
            names = ", ".join(step_text(self._processes[each].name, 0) for each in bound)
            what = "several flows are" if choices else "no flow is"
            raise NotJudged(f"at {where}, {what} consistent with the conditions of {names}")
        return choices[0]

    def _is_consistent(self, running: frozenset[int], piece: Piece) -> bool:
        """Return whether just after the start the processes run whose conditions hold."""
        return all(
            holds(piece.test(process.condition), after=True) == (index in running)
            for index, process in self._able.items()
        )

    def _is_at_bound(self, process: GroundPart) -> bool:
        piece = Piece(self.state)
        sides = [part[1:] for part, _ in walk(process.condition) if isinstance(part, Comparison)]
        return any(piece.polynomial(left) == piece.polynomial(right) for left, right in sides)

    def _flowing(self, running: Iterable[int]) -> Piece:
        """Return the piece of time in which these processes run.

        Raises:
            NotJudged: a fluent is no polynomial of time.
        """
        rates = defaultdict[Ground, list[Update]](list)
        processes = [self._processes[index] for index in running]
        processes += [
            each.part
            for each in self._plan.under_way
            if self._time >= each.start and self._time < each.end
        ]
        for rate in (effect for process in processes for effect in process.effects):
            if isinstance(rate, Update):  # always
                rates[rate.fluent.function, *rate.fluent.terms].append(rate)
        piece = Piece(self.state)
        reads = {
            fluent: {
                (f.function, *f.terms) for f in fluents_in(*(change.value for change in changes))
            }
            & rates.keys()
            for fluent, changes in rates.items()
        }
        try:
            # A rate may read a fluent that flows itself: its polynomial must be known before.
            order = [*TopologicalSorter(reads).static_order()]
        except CycleError as error:
            cycle = " and ".join(sorted({*map(atom_text, error.args[1])}))
            raise NotJudged(
                f"at {real_text(self._time)}, the flow of {cycle} is no polynomial: "
                "the rate depends on the value itself"
            ) from None
        for fluent in order:
            if fluent not in piece.values:
                raise CannotEvaluate(f"{atom_text(fluent)} is undefined")
            total: Polynomial = ()
            for rate in rates[fluent]:
                combine = plus if rate.operator == "increase" else minus
                total = combine(total, piece.polynomial(rate.value))
            if total:
                piece.flow[fluent] = plus(trimmed((piece.values[fluent],)), integral(total))
        return piece

    def _switches(self, piece: Piece, span: Real) -> Iterator[Mark]:
        """Yield when each running process stops, and when others start."""
        for index, process in self._able.items():
            is_running = index in self._running
            mark = first(piece.test(process.condition), span, wanted=not is_running)
            if mark:
                yield mark

    def _due(self, event: GroundPart, piece: Piece, span: Real) -> Mark | None:
        """Return when an event happens next, if nothing else does before.

        Raises:
            NotJudged: it would happen all the time.
        """
        test = piece.test(event.condition)
        if test is False:
            return None
        # An event that would change nothing is ignored, or it would happen again and again. If its
        # effects read what flows, it may change something later.
        is_constant = not any(fluent in piece.flow for fluent in _fluents(event.effects))
        if is_constant and not self._changes_state(event):
            return None
        mark = first(test, span, wanted=True)
        if mark and mark.time == 0 and holds(test):
            name = step_text(event.name, 0)
            raise NotJudged(f"from {real_text(self._time)}, {name} happens all the time")
        return mark

    def _watch(self, piece: Piece, until: Real) -> None:
        """Check the invariants and constraints from the start of a piece up to a time.

        What happens just after that time is not known yet.

        Raises:
            StepFails: one does not hold.
        """
        # Whether an invariant is broken is known only when time passes: an event at the same time
        # may restore it.
        before, self._broken = self._broken, set() if until else self._broken
        for watched in self._watched if until else ():
            is_inside = watched.covers(self._time)
            if not (is_inside or self._time == watched.start):
                continue
            test = piece.test(watched.part.condition)
            is_broken = is_inside and not holds(test)
            if is_broken and watched in before:
                self._break(watched, piece, Mark(0, after=False))
            mark = first(test, until, wanted=False)
            # Broken exactly at the end of the piece: the next piece shows whether it stays so.
            if mark and mark.time == until:
                if not watched.position:
                    self._break(watched, piece, mark)
                if watched.covers(self._time + until):
                    self._broken.add(watched)
            elif mark:
                self._break(watched, piece, mark)
            # It holds on one side of a change only: there is no verdict on which one counts.
            if is_broken != (watched in before):
                name, side = step_text(step_words(watched.part.name), watched.position), "after"
                where = f"at {real_text(self._time)}, its condition over all holds only"
                raise NotJudged(f"{name}: {where} {'before' if is_broken else side} a change")

    def _break(self, watched: UnderWay, piece: Piece, mark: Mark) -> None:
        missing = piece.missing(watched.part.condition, mark.time, after=mark.after)
        name, span, code = watched.part.name, "", ErrorKind.CONSTRAINT
        if watched.position:
            name, code = step_words(name), ErrorKind.INVARIANT
            span = f"over all from {time_text(watched.start)} to {time_text(watched.end)}, "
        why = "; ".join(found.why for found in missing)
        where = f"{span}at {real_text(self._time + mark.time)}"
        raise StepFails(
            f"{step_text(name, watched.position)}: {where}: {why}",
            tuple(found.condition for found in missing),
            watched.position or None,
            code,
        )

    # At one time

    def _settle(self) -> None:
        """Let events happen until none changes anything.

        Raises:
            NotJudged: they do not end.
        """
        for _ in range(_MAX_ROUNDS):
            piece = Piece(self.state)
            due = [
                event
                for event in self._able_events()
                if holds(piece.test(event.condition)) and self._changes_state(event)
            ]
            if not due:
                return
            self._let(due)
        names = ", ".join(step_text(name, 0) for name in self._last_events[-3:])
        raise NotJudged(f"at {real_text(self._time)}, events follow each other for ever: {names}")

    def _able_events(self) -> Iterator[GroundPart]:
        """Yield the events whose atoms hold."""
        facts = self.state.facts
        return compress(self._events, [needed <= facts for needed in self._needs[1]])

    def _changes_state(self, event: GroundPart) -> bool:
        """Return whether an event changes anything if it happens now."""
        facts, values = self.state.facts, self.state.values
        changes = self.system.steps[event.name].effects(self.state)
        return (
            not facts.issuperset(changes.adds)
            or any(each in facts and each not in changes.adds for each in changes.deletes)
            or any(
                each not in values or values[each] != new for each, new in changes.values.items()
            )
        )

    def _let(self, events: Sequence[GroundPart]) -> None:
        """Let events happen together, whose conditions hold now or just after.

        Raises:
            NotJudged: they interfere.
        """
        names = [event.name for event in events]
        try:
            self.system.happen(names, self.state, [0] * len(names), force=True)
        except StepFails as error:
            raise NotJudged(f"at {real_text(self._time)}, {error.reason}") from None
        for name in names:
            self._last_events.append(name)
            self._tell(name, "event")
        self._check_constraints()

    def _happen(self, moment: Moment) -> None:
        """Let steps of the plan happen together.

        Raises:
            StepFails: a step is not applicable, or two interfere.
            NotJudged: as for `Timeline.before`.
        """
        happening = list(zip(moment.group, moment.positions, strict=True))
        own = [step_text(name, position) for name, position in happening if position]
        # Others may let the step happen first, so a note tells the order.
        if self._last_events and own:
            events = ", ".join(step_text(each, 0) for each in dict.fromkeys(self._last_events))
            self._notes.append(f"at {real_text(self._time)}, {events} before {own[0]}")
        self._plan.timeline.before(moment, self.state)
        self.system.happen(moment.group, self.state, moment.positions)
        for name, position in happening:
            self._tell(name, "step" if position else "literal")
        self._check_constraints()

    def _check_constraints(self) -> None:
        """Check what must hold in every state.

        Raises:
            StepFails: it does not hold.
        """
        piece = Piece(self.state)
        for watched in self._watched:
            if not watched.position and not holds(piece.test(watched.part.condition)):
                self._break(watched, piece, Mark(0, after=False))

    def _tell(self, name: Ground, kind: str) -> None:
        if self._trace is not None:
            exact = self._time
            time = Fraction(float(exact)) if isinstance(exact, Algebraic) else exact
            self._trace.happened(time, name, kind, self.state)


def _needed(what: GroundPart) -> frozenset[Ground]:
    """Return the atoms that a condition needs."""
    parts = conjuncts(what.condition)
    return frozenset((part.predicate, *part.terms) for part in parts if isinstance(part, Atom))


def _fluents(effects: Sequence[Effect]) -> Iterator[Ground]:
    """Yield the fluents that effects read or change."""
    for part, _ in walk(*effects):
        fluent = part.fluent if isinstance(part, Update) else part
        if isinstance(fluent, Fluent):
            yield (fluent.function, *fluent.terms)
