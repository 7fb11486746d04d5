"""Execute the steps of a plan, and return the verdict or a full account."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pddl_pipeline.model.errors import ErrorKind, NotJudged, StepFails, WrongDuration
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import TOTAL_TIME, VIOLATED, Ground
from pddl_pipeline.validation.plan_reader import Moment, Steps
from pddl_pipeline.validation.state import Changes, DerivedState, State
from pddl_pipeline.validation.transition_system import TransitionSystem, step_words

if TYPE_CHECKING:
    from pddl_pipeline.validation.explanation import Unsatisfied
    from pddl_pipeline.validation.timeline import Timeline
    from pddl_pipeline.validation.trajectories import Trajectories

# A goal of a thousand atoms would otherwise make a verdict of a thousand reasons.
_REASON_LIMIT = 400


class Judged(Protocol):
    """The execution of a plan, before it is run."""

    steps: Steps
    system: TransitionSystem
    state: State

    def run(self) -> None:
        """Execute the plan."""

    def cost(self) -> Number:
        """Return the value of the metric."""

    def timed(self, verdict: Verdict) -> Verdict:
        """Return a verdict with what belongs to this kind of execution."""


def verdict_of(execution: Judged, budget: Number | None) -> Verdict:
    """Run the execution of a plan; return the verdict.

    Args:
        execution: the plan, whose steps are all actions of the task.
        budget: maximum cost of the plan; None for no limit.
    """
    steps, system = execution.steps, execution.system
    count = len(steps.words)
    try:
        execution.run()
        missing = system.missing_goals(execution.state)
        verdict = _goal_missed(count, missing) if missing else _valid(execution, budget)
    except StepFails as error:
        # The violation of a constraint is the failure of no step.
        line, column = steps.places()[error.step - 1] if error.step else (0, 0)
        verdict = Verdict(
            Status.INVALID, count, failed_step=error.step, reason=_cut(error.reason),
            unsatisfied=error.conditions, line=line or None, column=column or None,
            code=error.code,
        )  # fmt: skip
    except NotJudged as error:
        verdict = Verdict(Status.UNDECIDED, count, reason=str(error), code=ErrorKind.NOT_JUDGED)
    return execution.timed(verdict)


class Execution:
    """The execution of a plan on a task."""

    def __init__(self, steps: Steps, system: TransitionSystem, *, explain: bool = True) -> None:
        """Prepare the execution; without `explain`, failures have no reasons."""
        self.steps = steps
        self.system = system
        self.state = State(set(), {})
        """The state after the happenings so far."""
        self._explain = explain
        self._happened = 0
        self._values: dict[Ground, Number] | None = None
        """The values after the last step, if timed literals may follow."""
        self.timeline: Timeline | None = None
        self.trajectories: Trajectories | None = None
        self.made: list[Changes] = []
        """The changes of the last happening, also if an invariant does not hold after it."""
        if system.vocabulary.snaps:
            from pddl_pipeline.validation.timeline import Timeline  # rare

            self.timeline = Timeline(steps, system)
        if system.vocabulary.preferences or system.facts.constraints:
            from pddl_pipeline.validation.trajectories import Trajectories  # rare

            self.trajectories = Trajectories(system)

    def begin(self) -> Iterable[Moment]:
        """Enter the initial state; return the happenings of the plan.

        Raises:
            NotJudged: an axiom or a constraint cannot be evaluated.
        """
        if self.timeline is not None:
            self.state = self.timeline.initial_state()
        else:
            self.state = self.system.initial_state()
        if self.system.vocabulary.derived:
            self.state = DerivedState(self.state.facts, self.state.values)
        if self.trajectories is not None:
            self.trajectories.observe(0, self.state)
        return self.steps.happenings() if self.timeline is None else self.timeline.moments

    def run(self) -> None:
        """Execute the plan.

        Raises:
            StepFails, NotJudged: as for `happenings`.
        """
        for _ in self.sizes():
            pass

    def sizes(self) -> Iterator[int]:
        """Execute the plan, and yield the number of steps of each happening after it.

        Raises:
            StepFails, NotJudged: as for `happenings`.
        """
        if self.timeline is not None or self.trajectories is not None or self.steps.ticks:
            for moment in self.happenings():
                yield len(moment.group)
            return
        # The common case, which a training loop judges a thousand times a second.
        state = self.system.initial_state()
        if self.system.vocabulary.derived:
            state = DerivedState(state.facts, state.values)
        self.state, explain = state, self._explain
        for number, words in enumerate(self.steps.words, start=1):
            self.system.happen((words,), state, (number,), explain=explain)
            yield 1

    def happenings(self) -> Iterator[Moment]:
        """Execute the plan, and yield each happening after it.

        Raises:
            StepFails: a step fails; the state is unchanged.
            NotJudged: as for `TransitionSystem.happen`.
        """
        for moment in self.begin():
            self.happen(moment)
            yield moment

    def happen(self, moment: Moment, *, force: bool = False) -> list[Changes]:
        """Let a happening change the state; return the changes of each step.

        Raises:
            StepFails, NotJudged, CannotEvaluate: as for `TransitionSystem.happen`.
        """
        if self.timeline is not None and not force:
            self.timeline.before(moment, self.state)
        if self.trajectories is not None:
            self.trajectories.count(moment.group, self.state)
        made = self.made = self.system.happen(
            moment.group, self.state, moment.positions, explain=self._explain, force=force
        )
        self._happened += 1
        if self.timeline is not None:
            self.timeline.after(moment, made, self.state)
            if moment is self.timeline.last and self.system.facts.timed:
                self._values = dict(self.state.values)
        if self.trajectories is not None:
            self.trajectories.observe(moment.time, self.state, made)
        return made

    def cost(self) -> Number:
        """Return the value of the metric at the end of the plan.

        Raises:
            CannotEvaluate: as for `TransitionSystem.cost`.
            StepFails, NotJudged: as for `Trajectories.finish`.
        """
        further: dict[Ground, Number] = {}
        if self.timeline is not None:
            further[TOTAL_TIME.function,] = self.timeline.makespan
        if self.trajectories is not None:
            self.trajectories.finish(self.state)
            violations = self.trajectories.violations.items()
            further |= {(VIOLATED, name): count for name, count in violations}
        # As in VAL, a timed fluent after the plan does not count, but the goal must hold then.
        state = self.state if self._values is None else State(set(), self._values)
        return self.system.cost(state, len(self.steps.words), further)

    def timed(self, verdict: Verdict) -> Verdict:
        """Return a verdict with what only timed plans, preferences and constraints have."""
        if self.timeline is None and self.trajectories is None:
            return verdict
        if self.timeline is not None:
            verdict = verdict.replace(
                makespan=self.timeline.makespan,
                happenings=self._happened,
                notes=tuple(self.timeline.rounded),
            )
        if self.trajectories is not None and verdict.status is Status.VALID:
            verdict = verdict.replace(preferences=tuple(self.trajectories.violations.items()))
        return verdict


def _valid(execution: Judged, budget: Number | None) -> Verdict:
    """Return the verdict on a plan whose goal holds.

    Raises:
        StepFails, NotJudged: as for `Trajectories.finish`.
    """
    count = len(execution.steps.words)
    try:
        cost = execution.cost()
    except CannotEvaluate as error:
        reason = f"the metric cannot be computed: {error}"
        return Verdict(Status.VALID, count, reason=reason)
    metric = execution.system.facts.metric
    return Verdict(
        Status.VALID,
        count,
        cost,
        within_budget=None if budget is None else cost <= budget,
        maximise=metric is not None and metric.maximise,
    )


def _goal_missed(count: int, missing: list[Unsatisfied]) -> Verdict:
    why = "; ".join(found.why for found in missing)
    return Verdict(
        Status.INVALID,
        count,
        reason=_cut(f"goal not satisfied: {why}"),
        unsatisfied=tuple(found.condition for found in missing),
        code=ErrorKind.GOAL,
    )


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
    execution = Execution(steps, system, explain=False)
    state = system.initial_state()
    missing = least = now = system.missing_parts(state)
    executed = 0
    try:
        for size in execution.sizes():
            executed += size
            now = system.missing_parts(execution.state)
            least = min(least, now)
    # KeyError: a step that the task does not have; see `GroundSteps`.
    except (StepFails, NotJudged, KeyError):
        pass
    count = len(steps.words)
    reached = executed == count and not now
    cost = None
    if reached:
        with suppress(CannotEvaluate):
            cost = execution.cost()
    goals = 1 - least / missing if missing else 1.0
    return PlanProgress(count, executed, goals, reached, cost)


class Failure(NamedTuple):
    """Why a step of a happening fails."""

    step: str
    """The step as PDDL."""
    reason: str
    """The reason in words; for comparisons, with the values of both sides."""
    advice: str
    """Lines of VAL's repair advice; empty unless the step's precondition or duration fails."""
    since: Number | None = None
    """For an invariant, the time from which it does not hold."""
    wrong: WrongDuration | None = None
    """The duration, if that is what fails."""


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
    of_invariants: bool = False
    """Whether it is the check of the invariants of actions under way, whose texts are `steps`."""


def narrated(
    steps: Steps,
    system: TransitionSystem,
    *,
    keep_going: bool = False,
    invariants: bool = False,
) -> Iterator[Happening]:
    """Yield the happenings of a plan, up to the first that fails.

    Args:
        steps: steps that are all actions of the task.
        system: the task.
        keep_going: apply the effects of a failed happening anyway, if they can be computed and
            no steps in it interfere, and continue (VAL's ``-c``).
        invariants: whether the invariants of actions under way are a happening of their own before
            the next one, as in VAL. Otherwise, the happening fails that breaks one.

    A number or quantifier that exceeds the limits of the validator is a failure and ends the
    execution.

    Raises:
        NotJudged: an axiom cannot be evaluated in the initial state.
    """
    execution, since = Execution(steps, system), Fraction(0)
    moments = execution.begin()
    due = execution.timeline.invariants() if invariants and execution.timeline else {}
    state = execution.state.copy()
    for moment in moments:
        if moment.tick in due:
            checked = _invariants(due[moment.tick], execution.system, state, since, moment.time)
            stops = bool(checked.failures) and not keep_going
            yield checked._replace(after=None) if stops else checked
            if stops:
                return
        since = Fraction(moment.time)
        happening = _happening(
            moment, execution, state, keep_going=keep_going, invariants=invariants
        )
        yield happening
        if happening.after is None:
            return
        state = happening.after


def _invariants(
    group: list[Ground], system: TransitionSystem, state: State, since: Number, time: Number
) -> Happening:
    """Return the check of invariants in the state between two happenings, as a happening."""
    texts = [_invariant_text(words) for words in group]
    failures = [
        failure._replace(step=text, since=since)
        for words, text in zip(group, texts, strict=True)
        for failure in _failures([words], system, state)
    ]
    return Happening(time, texts, state, [], failures, state, of_invariants=True)


def _happening(
    moment: Moment, execution: Execution, state: State, *, keep_going: bool, invariants: bool
) -> Happening:
    """Let a happening change the state of an execution, and return it; see `narrated`.

    The given state is a copy of the one before.
    """
    system = execution.system
    failures: list[Failure] = []
    made: list[Changes] = []
    stops = False
    try:
        try:
            made = execution.happen(moment)
        except StepFails as error:
            if invariants and error.code is ErrorKind.INVARIANT:
                made = execution.made  # the failure is that of the next happening
            else:
                failures = _failures(moment.group, system, state)
                if isinstance(error, WrongDuration):
                    failures = [_wrong_duration(_failed(moment, error), error, failures)]
                elif not failures:  # the steps are applicable, but interfere
                    failures = [Failure(_failed(moment, error), error.reason, "")]
                stops = not keep_going
                if keep_going:
                    execution.state = state.copy()  # it has changed if an invariant is broken
                    # Steps that interfere have no effect together, not even by force.
                    with suppress(CannotEvaluate, StepFails):
                        made = execution.happen(moment, force=True)
    except NotJudged as error:
        failures, stops = [Failure(_text(moment.group[0]), str(error), "")], True
    after = None if stops else execution.state.copy()
    return Happening(moment.time, [*map(_text, moment.group)], state, made, failures, after)


def _wrong_duration(step: str, error: WrongDuration, others: list[Failure]) -> Failure:
    """Return the failure of a step's duration, with the advice on its precondition."""
    advice = next((other.advice for other in others if other.step == step), "")
    return Failure(step, error.reason, advice, wrong=error)


def listed(steps: Steps, system: TransitionSystem) -> list[tuple[Number, list[str]]]:
    """Return the happenings of a plan with those of invariants, as VAL lists them."""
    execution = Execution(steps, system)
    found: list[tuple[Number, list[str]]] = []
    due = execution.timeline.invariants() if execution.timeline else {}
    for moment in execution.begin():
        if moment.tick in due:
            found.append((moment.time, [*map(_invariant_text, due[moment.tick])]))
        found.append((moment.time, [*map(_text, moment.group)]))
    return found


def _invariant_text(words: Ground) -> str:
    return f"Invariant for {atom_text(step_words(words))}"


def _text(words: Ground) -> str:
    """Return a step as PDDL, and as in VAL which end of a durative action it is."""
    name, _, moment = words[0].partition(" ")
    if moment and not name:
        # ` 5 1 3`: the first and the third timed literal of the text, both at time 5.
        places = moment.split()[1:]
        return "\n".join(f"(Timed Initial Literal Action {place})" for place in places)
    return f"{atom_text(step_words(words))}{f' - {moment}' if moment else ''}"


def _failed(moment: Moment, error: StepFails) -> str:
    """Return the step of a happening that an error names, or the first."""
    positions = moment.positions
    index = positions.index(error.step) if error.step in positions else 0
    return _text(moment.group[index])


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
            failures.append(Failure(_text(words), error.reason, advice))
    return failures
