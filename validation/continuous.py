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
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from itertools import chain, combinations
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from pddl_pipeline.model.errors import ErrorKind, NotJudged, StepFails
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.model.verdict import Status, Verdict
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
from pddl_pipeline.validation.execution import goal_missed, step_failed
from pddl_pipeline.validation.flow import Mark, Piece, first, holds, real_text, updated_reals
from pddl_pipeline.validation.hybrid import HybridTask, Process, Transition
from pddl_pipeline.validation.interference import Dependencies, Footprint, Simultaneous
from pddl_pipeline.validation.language import (
    TOTAL_COST,
    TOTAL_TIME,
    Atom,
    Comparison,
    Condition,
    Effect,
    Fluent,
    Ground,
    Update,
    fluents_in,
    walk,
)
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.transition_system import TransitionSystem, step_text

if TYPE_CHECKING:
    from pddl_pipeline.validation.hybrid import Trace
    from pddl_pipeline.validation.plan_reader import Moment, Steps

MAX_SWITCHES: Final = 1000
"""How often processes and events may switch between two steps of a plan."""
_MAX_ROUNDS: Final = 100
"""How often they may switch at one time."""
_MAX_CHOICES: Final = 6
"""How many processes may be at the bounds of their conditions at one time."""
_MAX_DEGREE: Final = 64
_SAMPLES: Final = 20


def continuous_verdict(
    steps: Steps, system: TransitionSystem, budget: Number | None, trace: Trace | None = None
) -> Verdict:
    """Return the verdict on the steps of a plan.

    Args:
        steps: steps that are all actions of the task.
        system: the task.
        budget: maximum cost of the plan; None for no limit.
        trace: where to record what happens.
    """
    count = len(steps.words)
    try:
        run = _Run(steps, system, trace)
        try:
            run.run()
            missing = run.state.missing(run.task.goal)
            verdict = goal_missed(count, missing) if missing else run.valid(budget)
        except StepFails as error:
            verdict = step_failed(steps, error)
        return verdict._replace(
            makespan=run.makespan,
            happenings=run.happened,
            notes=(*run.notes, *run.plan.timeline.rounded),
        )
    except (NotJudged, CannotEvaluate) as error:
        reason, code = str(error), ErrorKind.NOT_JUDGED
        return Verdict(Status.UNDECIDED, count, reason=reason, code=code)


class _Watched(NamedTuple):
    """A condition that must hold during a part of the plan: an invariant or a constraint."""

    condition: Condition
    text: str
    code: ErrorKind
    position: int | None = None
    start: Number = -1
    end: Number | None = None

    def covers(self, time: Real) -> bool:
        """Return whether a time is between the start and the end."""
        return time > self.start and (self.end is None or time < self.end)


class _Run:
    """The execution of a plan in continuous time."""

    def __init__(self, steps: Steps, system: TransitionSystem, trace: Trace | None) -> None:
        if system.semantics.tolerance:
            raise NotJudged("a tolerance in continuous time is not judged")
        self.steps = steps
        self.system = system
        self.task = HybridTask(system)
        self.plan = self.task.plan(steps)
        initial = self.task.initial_state()
        self.state = Piece(initial.facts, {**initial.values, **self.plan.durations})
        """The state, as a piece of time in which nothing changes."""
        self.time: Real = 0
        self.notes: list[str] = []
        self.happened = 0
        own = (time for time, group in self.plan.moments if any(each.position for each in group))
        self.makespan = max(own, default=0)
        self._trace = trace
        self._running: frozenset[int] = frozenset()
        self._last_events: list[str] = []
        """The events at this time."""
        self._watched = [
            _Watched(
                each.process.condition, step_text(each.process.name, each.position),
                ErrorKind.INVARIANT, each.position, each.start, each.end,
            )
            for each in self.plan.under_way
        ]  # fmt: skip
        for condition in self.task.constraints:
            self._watched.append(_Watched(condition, "the constraint", ErrorKind.CONSTRAINT))

    def run(self) -> None:
        """Execute the plan.

        Raises:
            StepFails: a step is not applicable, or a condition does not hold that must hold.
            NotJudged, CannotEvaluate: there is no verdict.
        """
        self._settle()
        moments = self.plan.timeline.moments
        for moment, (time, group) in zip(moments, self.plan.moments, strict=False):
            self._flow_until(time)
            self._set_durations(moment, group)
            self._happen(group)
            self._settle()
        self._flow_until(self.plan.end)
        self._record(self.state, 0)

    def valid(self, budget: Number | None) -> Verdict:
        """Return the verdict on a plan whose goal holds."""
        count, metric = len(self.steps.words), self.system.facts.metric
        cost: Real = count
        if metric is not None:
            further: dict[Ground, Real] = {(TOTAL_COST.function,): 0}
            further |= {**self.state.values, (TOTAL_TIME.function,): self.plan.end}
            try:
                cost = Piece(self.state.facts, further).number(metric.value)
            except CannotEvaluate as error:
                reason = f"the metric cannot be computed: {error}"
                return Verdict(Status.VALID, count, reason=reason)
        within = None if budget is None else cost <= budget
        if isinstance(cost, Algebraic):
            reason = f"the metric is {cost}, an irrational number"
            return Verdict(Status.VALID, count, reason=reason, within_budget=within)
        maximise = metric is not None and metric.maximise
        return Verdict(Status.VALID, count, cost, within_budget=within, maximise=maximise)

    # Between the steps

    def _flow_until(self, end: Number) -> None:
        idle = 0
        for _ in range(MAX_SWITCHES):
            if self.time == end:
                return
            piece = self._next_piece()
            span = end - self.time
            due = [(mark, event) for event in self.task.events
                   for mark in [self._due(event, piece, span)] if mark]  # fmt: skip
            marks = [mark for mark, _ in due] + [*self._switches(piece, span)]
            until = min((mark.time for mark in marks), default=span)
            self._watch(piece, until)
            idle = idle + 1 if until == 0 else 0
            if idle > _MAX_ROUNDS:
                break
            if until == 0:
                self._events([event for mark, event in due if mark.time == 0])
            else:
                self._advance(piece, until)
            self._settle()
        where = real_text(self.time)
        raise NotJudged(f"at {where}, processes and events have switched too often since a step")

    def _advance(self, piece: Piece, span: Real) -> None:
        """Let time pass."""
        self._record(piece, span)
        values = {**piece.values}
        for fluent, polynomial in piece.flow.items():
            values[fluent] = value_at(polynomial, span)
        if any(
            isinstance(each, Algebraic) and each.degree > _MAX_DEGREE for each in values.values()
        ):
            raise NotJudged(f"at {real_text(self.time)}, the roots of too many polynomials matter")
        self.state = Piece(piece.facts, values)
        self.time += span
        self._last_events = []

    def _record(self, piece: Piece, span: Real) -> None:
        """Record the curves of a piece of time."""
        if self._trace is None:
            return
        start, length = float(self.time), float(span)
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
        now = frozenset(
            index for index, process in enumerate(self.task.processes)
            if holds(self.state.test(process.condition))
        )  # fmt: skip
        found = [self._flowing(now)]
        if not self._is_consistent(now, found[0]):
            bound = [index for index, process in enumerate(self.task.processes)
                     if self._is_at_bound(process)]  # fmt: skip
            if len(bound) > _MAX_CHOICES:
                raise NotJudged(f"at {real_text(self.time)}, many processes switch")
            sizes = range(len(bound) + 1)
            subsets = chain.from_iterable(combinations(bound, size) for size in sizes)
            sets = (now.difference(bound).union(subset) for subset in subsets)
            choices = [(running, self._flowing(running)) for running in sets if running != now]
            choices = [each for each in choices if self._is_consistent(*each)]
            if not choices or any(piece.flow != choices[0][1].flow for _, piece in choices):
                names = ", ".join(step_text(self.task.processes[each].name, 0) for each in bound)
                what = "several flows are" if choices else "no flow is"
                raise NotJudged(
                    f"at {real_text(self.time)}, {what} consistent with the conditions of {names}"
                )
            now, found[0] = choices[0]
        self._switch(now)
        return found[0]

    def _is_consistent(self, running: frozenset[int], piece: Piece) -> bool:
        """Return whether just after the start the processes run whose conditions hold."""
        return all(
            holds(piece.test(process.condition), after=True) == (index in running)
            for index, process in enumerate(self.task.processes)
        )

    def _is_at_bound(self, process: Process) -> bool:
        for part, _ in walk(process.condition):
            if isinstance(part, Comparison):
                with suppress(CannotEvaluate):
                    if self.state.number(part.left) == self.state.number(part.right):
                        return True
        return False

    def _switch(self, running: frozenset[int]) -> None:
        """Record which processes start and stop."""
        for index in sorted(running ^ self._running):
            kind = "process starts" if index in running else "process stops"
            self._tell(self.task.processes[index].name, kind)
        self._running = running

    def _flowing(self, running: Iterable[int]) -> Piece:
        """Return the piece of time in which these processes run.

        Raises:
            NotJudged: a fluent is no polynomial of time.
        """
        rates = defaultdict[Ground, list[Update]](list)
        processes = [self.task.processes[index] for index in running]
        processes += [each.process for each in self.plan.under_way
                      if self.time >= each.start and self.time < each.end]  # fmt: skip
        for process in processes:
            for rate in process.rates:
                rates[rate.fluent.function, *rate.fluent.terms].append(rate)
        piece = Piece(self.state.facts, self.state.values)
        reads = {
            fluent: {(f.function, *f.terms) for f in fluents_in(*(each.value for each in changes))}
            & rates.keys()
            for fluent, changes in rates.items()
        }
        try:
            order = [*TopologicalSorter(reads).static_order()]
        except CycleError as error:
            cycle = " and ".join(sorted({*map(atom_text, error.args[1])}))
            raise NotJudged(
                f"at {real_text(self.time)}, the flow of {cycle} is no polynomial: "
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
        for index, process in enumerate(self.task.processes):
            is_running = index in self._running
            mark = first(piece.test(process.condition), span, wanted=not is_running)
            if mark:
                yield mark

    def _due(self, event: Transition, piece: Piece, span: Real) -> Mark | None:
        """Return when an event happens next, if nothing else does before.

        Raises:
            NotJudged: it would happen all the time.
        """
        test = piece.test(event.condition)
        if test is False:
            return None
        touched = [*_fluents(event.effects)]
        is_constant = not any(each in piece.flow for each in touched)
        if is_constant and not self._changes_state(piece.changes(event.effects)):
            return None
        mark = first(test, span, wanted=True)
        if mark and mark.time == 0 and holds(test):
            name = step_text(event.name, 0)
            raise NotJudged(f"from {real_text(self.time)}, {name} happens all the time")
        return mark

    def _watch(self, piece: Piece, until: Real) -> None:
        """Check the invariants and constraints from the start of a piece up to a time.

        What happens just after that time is not known yet.

        Raises:
            StepFails: one does not hold.
        """
        for watched in self._watched:
            test = piece.test(watched.condition)
            if watched.covers(self.time) and not holds(test):
                self._break(watched, piece, Mark(0, after=False))
            if until == 0 or not (watched.covers(self.time) or self.time == watched.start):
                continue
            mark = first(test, until, wanted=False)
            if mark and (
                mark.time != until or (not mark.after and watched.covers(self.time + until))
            ):
                self._break(watched, piece, mark)

    def _break(self, watched: _Watched, piece: Piece, mark: Mark) -> None:
        missing = piece.missing(watched.condition, mark.time, after=mark.after)
        time, span = self.time + mark.time, ""
        if watched.end is not None:
            span = f" over all from {number_text(watched.start)} to {number_text(watched.end)},"
        why = "; ".join(found.why for found in missing)
        reason = f"{watched.text}:{span} at {real_text(time)}: {why}"
        conditions = tuple(found.condition for found in missing)
        raise StepFails(reason, conditions, watched.position, watched.code)

    # At one time

    def _settle(self) -> None:
        """Let events happen until none changes anything.

        Raises:
            NotJudged: they do not end.
        """
        for _ in range(_MAX_ROUNDS):
            due = [event for event in self.task.events if holds(self.state.test(event.condition))
                   and self._changes_state(self.state.changes(event.effects))]  # fmt: skip
            if not due:
                return
            self._events(due)
        names = ", ".join(self._last_events[-3:])
        raise NotJudged(f"at {real_text(self.time)}, events follow each other without end: {names}")

    def _changes_state(self, changes: Changes) -> bool:
        facts, values = self.state.facts, self.state.values
        updated = updated_reals([changes], values)
        return (
            not facts.issuperset(changes.adds)
            or any(each in facts and each not in changes.adds for each in changes.deletes)
            or any(each not in values or values[each] != new for each, new in updated.items())
        )

    def _events(self, events: Sequence[Transition]) -> None:
        """Let events happen together.

        Raises:
            NotJudged: they interfere.
        """
        try:
            self._apply(events, [self.state.changes(event.effects) for event in events])
        except StepFails as error:
            raise NotJudged(
                f"at {real_text(self.time)}, events interfere: {error.reason}"
            ) from None
        for event in events:
            self._last_events.append(step_text(event.name, 0))
            self._tell(event.name, "event")

    def _happen(self, group: Sequence[Transition]) -> None:
        """Let steps of the plan happen together.

        Raises:
            StepFails: a step is not applicable, or two interfere.
        """
        made = []
        for step in group:
            missing, fault, changes = self.state.missing(step.condition), "", Changes([], [])
            try:
                changes = self.state.changes(step.effects)
                updated_reals([changes], self.state.values)
            except CannotEvaluate as error:
                fault = str(error)
            if missing or fault:
                reason = "; ".join(found.why for found in missing) or fault
                raise StepFails(
                    f"{step_text(step.name, step.position)}: {reason}",
                    tuple(found.condition for found in missing), step.position or None,
                    ErrorKind.PRECONDITION if missing else ErrorKind.EFFECT,
                )  # fmt: skip
            made.append(changes)
        if self._last_events and any(step.position for step in group):
            last = step_text(group[-1].name, group[-1].position)
            events = ", ".join(dict.fromkeys(self._last_events))
            self.notes.append(f"at {real_text(self.time)}: {events} before {last}")
        self._apply(group, made)
        self.happened += 1
        for each in group:
            self._tell(each.name, "step" if each.position else "literal")

    def _tell(self, name: Ground, kind: str) -> None:
        if self._trace is not None:
            self._trace.happened(float(self.time), name, kind)

    def _apply(self, group: Sequence[Transition], made: Sequence[Changes]) -> None:
        """Change the state.

        Raises:
            StepFails: two transitions interfere.
        """
        if len(group) > 1:
            self._check_interference(group, made)
        values = {**self.state.values, **updated_reals(made, self.state.values)}
        facts = set(self.state.facts)
        for changes in made:
            facts.difference_update(changes.deletes)
        for changes in made:
            facts.update(changes.adds)
        self.state = Piece(facts, values)

    def _check_interference(self, group: Sequence[Transition], made: Sequence[Changes]) -> None:
        dependencies = Dependencies(self.system.vocabulary)
        together = Simultaneous(dependencies)
        for index, (step, changes) in enumerate(zip(group, made, strict=True)):
            found = Footprint(self.system.semantics, dependencies)
            for formula, _ in walk(step.condition, *step.effects):
                if isinstance(formula, Atom):
                    found.atoms.add((formula.predicate, *formula.terms))
                elif isinstance(formula, Fluent):
                    found.fluents.add((formula.function, *formula.terms))
            changes.values = dict.fromkeys((fluent for fluent, _, _ in changes.updates), 0)
            clash = together.add(index, found, changes)
            if clash:
                before = step_text(group[clash.other].name, group[clash.other].position)
                reason = (
                    f"{before} {clash.theirs} {atom_text(clash.shared)} and "
                    f"{step_text(step.name, step.position)} {clash.mine} it at the same time: "
                    "they interfere"
                )
                raise StepFails(reason, step=step.position or None, code=ErrorKind.INTERFERENCE)

    def _set_durations(self, moment: Moment, group: Sequence[Transition]) -> None:
        """Check the durations of the actions that start or end, and set them.

        Raises:
            StepFails, NotJudged: as for `Timeline.before`.
        """
        read = fluents_in(*(bound.value for step in group for bound in step.bounds))
        values = self.state.values
        if any(isinstance(values.get((each.function, *each.terms)), Algebraic) for each in read):
            raise NotJudged(f"at {real_text(self.time)}, the bound of a duration is irrational")
        self.plan.timeline.before(moment, State(set(), cast("dict[Ground, Number]", values)))


def _fluents(effects: Sequence[Effect]) -> Iterator[Ground]:
    """Yield the fluents that effects read or change."""
    for part, _ in walk(*effects):
        fluent = part.fluent if isinstance(part, Update) else part
        if isinstance(fluent, Fluent):
            yield (fluent.function, *fluent.terms)
