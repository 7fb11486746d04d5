"""Judge plans of PDDL+ in steps of time, as ENHSP plans them.

Time passes in steps of equal length, ``delta``. In a step, each process whose condition holds
changes its numbers by its rates in the state before, times delta (Euler's method). Before and after
a step, events happen until nothing changes; those that can happen together do, and must not
interfere. Actions with equal time stamps happen one after the other, and the goal must hold at the
end (Scala, Haslum, Thiébaux and Ramírez 2016; Percassi, Scala and Vallati 2023).

In ENHSP, events wait for the next step of time. In the second of these papers they also happen
between actions with equal stamps and before the goal is tested. Where that matters, both are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import le, lt
from typing import TYPE_CHECKING, Final, cast

from pddl_pipeline.model.errors import ErrorKind, NotJudged, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.arithmetic import CannotEvaluate, updated
from pddl_pipeline.validation.execution import verdict_of
from pddl_pipeline.validation.hybrid import GroundPart, HybridTask, hybrid_task
from pddl_pipeline.validation.language import TOTAL_TIME, Ground
from pddl_pipeline.validation.plan_reader import Steps, time_text
from pddl_pipeline.validation.state import Change, Changes
from pddl_pipeline.validation.transition_system import TransitionSystem, step_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from pddl_pipeline.model.verdict import Verdict
    from pddl_pipeline.validation.hybrid import Trace

_MOST_ROUNDS: Final = 1000
"""Maximum number of times that events happen one after the other."""
_MOST_TESTS: Final = 2 * 10**5
"""Maximum number of conditions of processes and events that are tested in all steps of time."""
_EXACT_BITS: Final = 4096
"""A longer number becomes an interval: squares double the digits in each step of time."""
_BITS: Final = 512
"""The binary places of the bounds of an interval."""


def discretised_verdict(
    steps: Steps,
    system: TransitionSystem,
    budget: Number | None,
    delta: Number,
    trace: Trace | None = None,
) -> Verdict:
    """Return the verdict on a plan in steps of time.

    Args:
        steps: steps that are all actions of the task.
        system: the task.
        budget: maximum cost of the plan; None for no limit.
        delta: the length of a step of time.
        trace: what records the values and the happenings; None to record nothing.

    Raises:
        NotJudged: the task or the plan has no meaning in steps of time.
    """
    task = hybrid_task(system)
    first = _Simulation(task, steps, system, delta, trace=trace)
    verdict = verdict_of(first, budget)
    # Both readings are the same, or the first one says nothing.
    if first.pending is None or verdict.status.is_valid is None:
        return verdict
    second = verdict_of(_Simulation(task, steps, system, delta, is_eager=True), budget)
    if second.status is verdict.status:
        return verdict
    raise NotJudged(
        f"the plan is {verdict.status} if {first.pending} as in ENHSP, with the next step of time, "
        f"and {second.status} if it happens at once"
    )


class _Simulation:
    """The execution of a plan in steps of time."""

    def __init__(  # noqa: PLR0913 -- what decides the result
        self,
        task: HybridTask,
        steps: Steps,
        system: TransitionSystem,
        delta: Number,
        *,
        is_eager: bool = False,
        trace: Trace | None = None,
    ) -> None:
        self.steps, self.system, self.state = steps, system, system.initial_state()
        self._task, self._delta, self._trace = task, delta, trace
        self._plan = task.plan(steps)
        self._is_eager = is_eager
        self._time: Number = 0
        self.pending: str | None = None
        """Which event could happen before an action or the end, where in ENHSP it does not."""
        if self._plan.under_way or system.facts.timed:
            raise NotJudged("durative actions and timed literals are not judged in steps of time")
        # A fine delta over a long plan would take hours.
        tests = self._plan.end / Fraction(delta) * (len(task.processes) + len(task.events))
        if tests > _MOST_TESTS:
            raise NotJudged(f"a plan of more than {_MOST_TESTS} tests in steps of time")

    def run(self) -> None:
        """Execute the plan.

        Raises:
            StepFails: a step fails, or a constraint is violated.
            NotJudged: see `discretised_verdict`.
        """
        self._record()
        self._check_constraints()
        for moment in self._plan.moments:
            self._wait(moment.time)
            for name, position in zip(moment.group, moment.positions, strict=True):
                self._let_or_note_events(step_text(name, position))
                self.system.happen((name,), self.state, (position,))
                self._record(name, "step")
                self._check_constraints(position)
        self._wait(self._plan.end)
        self._let_or_note_events("the end of the plan")

    def cost(self) -> Number:
        """Return the value of the metric at the end of the plan.

        Raises:
            CannotEvaluate: it reads an undefined fluent, divides by zero, or is not exact.
        """
        further: dict[Ground, Number] = {(TOTAL_TIME.function,): self._plan.end}
        cost = self.system.cost(self.state, len(self.steps.words), further)
        if isinstance(cost, Interval):
            raise CannotEvaluate("its digits are too many")
        return cost

    def timed(self, verdict: Verdict) -> Verdict:
        """Return a verdict with what only timed plans have."""
        return verdict.replace(makespan=self._plan.end, happenings=len(self._plan.moments))

    def _wait(self, until: Number) -> None:
        """Let time pass."""
        count = Fraction(until - self._time) / self._delta
        if count.denominator > 1:
            raise NotJudged(f"{time_text(until)} is no multiple of the step of time {self._delta}")
        if count:
            self._let_events()
        for _ in range(int(count)):
            active = [made for process in self._task.processes if (made := self._made(process))]
            # A chart needs a point for each step of time, also where nothing changes.
            if not active and self._trace is None:
                break  # nothing changes any more
            self._time += self._delta
            rates = [update for made in active for update in made.updates]
            self._advance(rates)
            self._record()
            self._check_constraints()
            self._let_events()
        self._time = until

    def _advance(self, rates: Sequence[Change]) -> None:
        changes = [(fluent, kind, rate * self._delta) for fluent, kind, rate in rates]
        try:
            values = updated(changes, self.state.values)
        except CannotEvaluate as error:
            raise NotJudged(f"a process at {time_text(self._time)}: {error}") from None
        self.state.values.update({name: _limited(value) for name, value in values.items()})

    def _let_events(self) -> None:
        """Let events happen until nothing changes."""
        happened: dict[Ground, None] = {}
        for _ in range(_MOST_ROUNDS):
            due = self._due()
            if not due:
                return
            before = self.state.copy()
            try:
                self.system.happen(due, self.state, [0] * len(due))
            except StepFails as error:
                raise NotJudged(error.reason) from None
            # Also events that undo each other at once end here.
            if self.state == before:
                return
            happened |= dict.fromkeys(due)
            for words in due:
                self._record(words, "event")
            self._check_constraints()
        names = ", ".join(step_text(words, 0) for words in happened)
        raise NotJudged(f"at {time_text(self._time)}, events follow each other for ever: {names}")

    def _let_or_note_events(self, what: str) -> None:
        if self._is_eager:
            self._let_events()
        elif self.pending is None and (due := self._due()):
            self.pending = f"{step_text(due[0], 0)} happens after {what}"

    def _due(self) -> list[Ground]:
        return [event.name for event in self._task.events if self._made(event) is not None]

    def _made(self, what: GroundPart) -> Changes | None:
        """Return what a process or an event changes; None if its condition does not hold."""
        try:
            return self.system.steps[what.name].changes(self.state)
        except CannotEvaluate as error:
            text = f"{step_text(what.name, 0)} at {time_text(self._time)}"
            raise NotJudged(f"{text} cannot be evaluated: {error}") from None

    def _check_constraints(self, step: int | None = None) -> None:
        for constraint in self._task.constraints:
            try:
                self.system.changes(constraint.name, self.state)
            except StepFails as error:
                text = f"{step_text(constraint.name, 0)} at {time_text(self._time)}"
                raise StepFails(
                    f"{text}: {error.reason}", error.conditions, step, ErrorKind.CONSTRAINT
                ) from None

    def _record(self, name: Ground | None = None, kind: str = "") -> None:
        if self._trace is None:
            return
        if name is not None:
            self._trace.happened(self._time, name, kind, self.state)
        self._trace.values(self._time, self.state.values)
        self._trace.state = self.state


class Interval:
    """A number between two bounds, which are whole multiples of 2 to the power of -`_BITS`.

    Comparisons raise NotJudged if numbers within the bounds differ in them.
    """

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __str__(self) -> str:
        return f"about {float(self):.12g}"

    def __float__(self) -> float:
        return (self.low + self.high) / (2 << _BITS)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Number | Interval) -> Interval:
        added = _interval(other)
        return Interval(self.low + added.low, self.high + added.high)

    def __sub__(self, other: Number | Interval) -> Interval:
        return self + -other

    def __rsub__(self, other: Number) -> Interval:
        return -self + other

    def __mul__(self, other: Number | Interval) -> Interval:
        factor = _interval(other)
        ends = [x * y for x in (self.low, self.high) for y in (factor.low, factor.high)]
        return Interval(min(ends) >> _BITS, -(-max(ends) >> _BITS))

    def __truediv__(self, other: Number | Interval) -> Interval:
        # The inverse falls, so the bounds change places; both are rounded outwards.
        divisor, one = _interval(other), 1 << 2 * _BITS
        return self * Interval(one // divisor.high, -(-one // divisor.low))

    def __rtruediv__(self, other: Number) -> Interval:
        return _interval(other) / self

    def __pow__(self, exponent: int) -> Interval:
        power = _interval(1)
        for _ in range(exponent):
            power *= self
        return power

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other: Number | Interval) -> bool:
        return self._is(lt, other)

    def __le__(self, other: Number | Interval) -> bool:
        return self._is(le, other)

    def __gt__(self, other: Number | Interval) -> bool:
        return not self <= other

    def __ge__(self, other: Number | Interval) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        return self <= cast("Number", other) and self >= cast("Number", other)

    def _is(self, compare: Callable[[int, int], bool], other: Number | Interval) -> bool:
        bounds = _interval(other)
        found = compare(self.high, bounds.low)
        # Both ends agree: so do all numbers in between.
        if found != compare(self.low, bounds.high):
            raise NotJudged(f"a comparison with a number too long to be exact, {self}")
        return found


def _interval(number: Number | Interval) -> Interval:
    if isinstance(number, Interval):
        return number
    numerator, denominator = number.as_integer_ratio()
    return Interval((numerator << _BITS) // denominator, -((-numerator << _BITS) // denominator))


def _limited(number: Number) -> Number:
    """Return a number, or an interval around it if it has too many digits."""
    if isinstance(number, Interval):
        return number
    if max(number.numerator.bit_length(), number.denominator.bit_length()) <= _EXACT_BITS:
        return number
    # Exact numbers and intervals mix in the values of a state; `arithmetic` accepts both.
    return cast("Number", _interval(number))
