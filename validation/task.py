"""A task, which is read once and judges any number of plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pddl_pipeline.model.errors import ErrorKind, InputError, NotJudged, PddlError, PlanSyntaxError
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.text import atom_text, counted
from pddl_pipeline.model.verdict import CONTINUOUS, DISCRETISED, Opinion, Status, Verdict, malformed
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.domain_reader import read_domain
from pddl_pipeline.validation.execution import (
    Execution,
    Happening,
    PlanProgress,
    listed,
    narrated,
    plan_progress,
    verdict_of,
)
from pddl_pipeline.validation.given_objects import Given, read_given
from pddl_pipeline.validation.language import ProblemFacts
from pddl_pipeline.validation.plan_reader import (
    Steps,
    given_steps,
    plan_number,
    plan_of,
    time_text,
    with_file_hint,
)
from pddl_pipeline.validation.problem_reader import read_problem, warned_problem
from pddl_pipeline.validation.sexpr import Source, paused_collection
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.transition_system import TransitionSystem
from pddl_pipeline.validation.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pddl_pipeline.model.problem import Problem
    from pddl_pipeline.validation.explanation import Unsatisfied
    from pddl_pipeline.validation.hybrid import Trace as TimeTrace
    from pddl_pipeline.validation.plan_reader import PlanSource
    from pddl_pipeline.validation.semantics import WorkLimit
    from pddl_pipeline.validation.successors import Successor

Texts = tuple[str, str]
"""The texts of a domain and a problem."""


class Task:
    """A domain and a problem. Create it with `read_task`."""

    def __init__(
        self, vocabulary: Vocabulary, facts: ProblemFacts, texts: Texts | None = None
    ) -> None:
        self.vocabulary = vocabulary
        """Types, objects, predicates, functions and actions."""
        self.facts = facts
        """Initial facts and values, goal, metric."""
        self.texts = texts
        """The texts of the domain and the problem that it was read from; None if it was not."""
        self.warnings = vocabulary.warnings
        """What is read although the standard forbids it, with its place; see `read_task`."""
        self._tolerant: dict[Number, TransitionSystem] = {}

    def __reduce__(self) -> tuple[type[Task], tuple[Vocabulary, ProblemFacts, Texts | None]]:
        # Caches are left out: they can be computed again.
        return Task, (self.vocabulary, self.facts, self.texts)

    def __repr__(self) -> str:
        objects, actions = len(self.vocabulary.objects), len(self.vocabulary.actions)
        name = f"{self.vocabulary.name} {self.facts.name}"
        return f"<Task {name}: {objects} objects, {actions} actions>"

    def _repr_html_(self) -> str:
        return notebook_html(self)

    @cached_property
    def _system(self) -> TransitionSystem:
        return TransitionSystem(self.vocabulary, self.facts)

    def judge(
        self,
        plan: PlanSource,
        budget: Number | None = None,
        tolerance: Number = 0,
        delta: Number | None = None,
    ) -> Verdict:
        """Judge a plan.

        Args:
            plan: text in the IPC format, a `Path`, a `Plan`, or a sequence of steps such as
                ``["(stack a b)", ...]``. A string is always text.
            budget: maximum cost of the plan; sets ``within_budget`` if the plan is valid.
            tolerance: absolute tolerance of every numeric comparison, including strict ones. PDDL
                uses 0, VAL 1/10000.
            delta: if the task has processes or events, the length of the steps in which time
                passes, as in ENHSP. None for continuous time.

        A text that is not a plan of this task is ``malformed``, regardless of its other steps.

        Raises:
            InputError: the file cannot be read, the tolerance is negative, or delta is not above 0.
            TypeError: ``plan`` or ``tolerance`` has a different type.
        """
        if delta is not None and delta <= 0:
            raise InputError(f"delta: found {delta}, expected a number above 0")
        unjudged = self.vocabulary.not_judged
        if unjudged is not None:
            reason = str(unjudged)
            return Verdict(Status.UNDECIDED, reason=reason, code=ErrorKind.UNSUPPORTED)
        try:
            steps = self._steps(plan)
        except PlanSyntaxError as error:
            return with_file_hint(malformed(error), plan)
        system = self._system_with(tolerance)
        if self.vocabulary.is_hybrid:
            return self._hybrid_verdict(steps, system, budget, delta)
        return verdict_of(Execution(steps, system), budget)

    def _hybrid_verdict(
        self, steps: Steps, system: TransitionSystem, budget: Number | None, delta: Number | None
    ) -> Verdict:
        """Return the verdict on a plan of PDDL+; in steps of time, the continuous one beside it."""
        try:
            verdict = _judge_in_time(steps, system, budget, delta)
        except NotJudged as error:
            reason, code = str(error), ErrorKind.NOT_JUDGED
            verdict = Verdict(Status.UNDECIDED, len(steps.words), reason=reason, code=code)
        if delta is None:
            return verdict.replace(semantics=CONTINUOUS)
        # The other semantics is shown beside the verdict, as another validator's would be.
        exact = self._hybrid_verdict(steps, self._system, None, None)
        if exact.status.is_valid is not None:
            verdict = verdict.with_opinion(CONTINUOUS, Opinion(exact.status, exact.reason))
        return verdict.replace(semantics=DISCRETISED, delta=delta)

    def trace_in_time(self, plan: PlanSource, delta: Number | None = None) -> TimeTrace:
        """Return how values change in a plan of PDDL+, up to where it fails or is not judged.

        The arguments are as for `judge`.
        """
        from pddl_pipeline.validation.hybrid import Trace

        trace = Trace()
        # A chart shows what is known up to where the plan fails.
        with suppress(NotJudged, PlanSyntaxError):
            _judge_in_time(self._steps(plan), self._system, None, delta, trace)
        return trace

    def _system_with(self, tolerance: Number) -> TransitionSystem:
        if not isinstance(tolerance, (int, Fraction)):
            raise TypeError(f"tolerance: found {tolerance!r}, expected an int or a Fraction")
        if tolerance < 0:
            raise InputError(f"tolerance: found {tolerance}, expected at least 0")
        if tolerance == 0:
            return self._system
        if tolerance not in self._tolerant:
            self._tolerant[tolerance] = TransitionSystem(self.vocabulary, self.facts, tolerance)
        return self._tolerant[tolerance]

    def _steps(self, plan: PlanSource) -> Steps:
        steps, known = given_steps(plan), self._system.steps
        if self.vocabulary.snaps:
            self._check_durations(steps)
        for index, words in enumerate(steps.words):
            try:
                # A lookup makes the ground step, and keeps it for the execution.
                known[words]
            except KeyError:
                line, column = steps.places()[index]
                code, fault = _step_fault(words, self.vocabulary)
                raise PlanSyntaxError(
                    f"step {index + 1} {atom_text(words)}: {fault}",
                    line=line,
                    column=column,
                    step=index + 1,
                    code=code,
                ) from None
        return steps

    def _check_durations(self, steps: Steps) -> None:
        """Check that all durative actions, and no others, have time stamps and durations."""
        for index, words in enumerate(steps.words):
            action = self.vocabulary.actions.get(words[0])
            duration = steps.durations[index] if steps.durations else None
            fault = ""
            # `_steps` reports an unknown action, with the code of that error.
            if action is None:
                continue
            if self.vocabulary.is_hybrid and not steps.ticks:
                fault = f"'{words[0]}' needs a time stamp, since time passes in this task"
            elif (
                steps.end is not None
                and steps.ticks
                and steps.ticks[index] > steps.end * steps.scale
            ):
                fault = f"the plan ends before it, at {time_text(steps.end)}"
            elif action.durative is None:
                # UPMurphi, DiNo and SMTPlan print that an action takes no time.
                if duration is None or (self.vocabulary.is_hybrid and not plan_number(duration)):
                    continue
                fault = f"'{words[0]}' has no duration, found [{duration}]"
            elif not steps.ticks:
                fault = f"'{words[0]}' is durative, expected a time stamp"
            elif duration is None:
                fault = f"'{words[0]}' is durative, expected a duration such as [5]"
            if fault:
                line, column = steps.places()[index]
                message = f"step {index + 1} {atom_text(words)}: {fault}"
                raise PlanSyntaxError(
                    message, line=line, column=column, step=index + 1, code=ErrorKind.DURATION
                )

    def progress(self, plan: PlanSource, *, strict: bool = False) -> PlanProgress:
        """Return how far a plan gets, also if it is not valid. Unlike `judge`, give no reasons.

        Args:
            plan: as for `judge`.
            strict: whether a step that is no action of the task is an error; otherwise, it ends the
                execution.

        Raises:
            PddlError: the task is not classical; see `check_supported`.
            PlanSyntaxError: the text is not in the IPC format, or strictly not a plan of this task.
            NotJudged: as for `changes`, in the initial state.
        """
        self.check_supported()
        steps = self._steps(plan) if strict else given_steps(plan)
        return plan_progress(steps, self._system)

    def read_plan(self, plan: PlanSource) -> Plan:
        """Read a plan and check that each step is an action of this task.

        Raises:
            PlanSyntaxError: syntax error, unknown action or object, wrong arity or type.
        """
        return plan_of(self._steps(plan))

    def initial_state(self) -> State:
        """Return the initial state.

        Raises:
            NotJudged: an axiom cannot be evaluated in it.
        """
        return self._system.initial_state()

    def changes(self, step: Step, state: State) -> Changes:
        """Return the changes that a step makes in a state; the state itself does not change.

        Raises:
            StepFails: a condition does not hold, or an effect cannot be computed.
            NotJudged: a number, quantifier or axiom exceeds the limits of the validator.
        """
        return self._system.changes((step.action, *step.arguments), state)

    def apply(self, step: Step, state: State) -> None:
        """Apply a step to a state in place, and recompute the derived atoms.

        Raises:
            StepFails: as for `changes`; the state is unchanged.
            NotJudged: as for `changes`; the state must not be used afterwards.
            TypeError: the state is in a set, or a key of a dict.
        """
        if state.is_fixed:
            raise TypeError("the state is in a set or a key of a dict; change a copy: state.copy()")
        self._system.apply([self.changes(step, state)], state)

    def trace(self, plan: PlanSource) -> Iterator[State]:
        """Yield the initial state and the state after each step or group of simultaneous steps.

        Raises:
            PddlError: the task uses a part of PDDL that is not judged.
            PlanSyntaxError: the text is not a plan of this task; raised before the first state.
            StepFails: a step is not applicable; raised after the states before it.
            NotJudged: as for `changes`; raised after the states before.
        """
        self.check_supported(judged=True)
        execution = Execution(self._steps(plan), self._system)
        yield self.initial_state()
        for _ in execution.happenings():
            yield execution.state.copy()

    def narrate(
        self, plan: PlanSource, *, keep_going: bool = False, invariants: bool = False
    ) -> Iterator[Happening]:
        """Yield the happenings of a plan, up to the first that fails; see `narrated`.

        Raises:
            PddlError: the task uses a part of PDDL that is not judged.
            PlanSyntaxError: the text is not a plan of this task; raised before the first happening.
        """
        self.check_supported(judged=True)
        steps = self._steps(plan)
        return narrated(steps, self._system, keep_going=keep_going, invariants=invariants)

    def listed(self, plan: PlanSource) -> list[tuple[Number, list[str]]]:
        """Return the happenings of a plan: each with its time and its steps, as VAL lists them.

        Raises:
            PddlError, PlanSyntaxError: as for `narrate`.
        """
        self.check_supported(judged=True)
        return listed(self._steps(plan), self._system)

    def unsatisfied(self, state: State, step: Step | None = None) -> list[Unsatisfied]:
        """Return the conditions of a step that do not hold in a state; without a step, the goal's.

        Raises:
            NotJudged: as for `changes`.
        """
        if step is None:
            return self._system.missing_goals(state)
        return self._system.missing_conditions((step.action, *step.arguments), state)

    def cost(self, state: State, steps: int) -> Number | None:
        """Return the value of the metric after this many steps, or the number of steps without one.

        None if the metric reads an undefined fluent or divides by zero.
        """
        try:
            return self._system.cost(state, steps)
        except CannotEvaluate:
            return None

    def goal_advice(self, state: State) -> str:
        """Return VAL's repair advice on the goal in a state, as lines.

        Raises:
            NotJudged: as for `changes`.
        """
        return self._system.advisor(state).advice(self.facts.goal, {})

    def successors(self, state: State, limit: WorkLimit | None = None) -> Iterator[Successor]:
        """Yield every applicable step with the state that it leads to.

        Raises:
            PddlError: the task is not classical; see `check_supported`.
            NotJudged: as for `changes`, or the work limit is exceeded; None means no limit.
        """
        self.check_supported()
        return self._system.successors(state, limit)

    def check_supported(self, *, judged: bool = False) -> None:
        """Check that this task is classical, or at least that its plans are judged.

        Raises:
            PddlError: the task uses a part of PDDL that is not classical, or not judged.
        """
        for part in self.facts.unsupported:
            # `judge` lets time pass for PDDL+; the callers of this method only take steps.
            if not (judged and part.judged) or self.vocabulary.is_hybrid:
                raise PddlError(part.fault, file=part.file, line=part.line)

    def goal_holds(self, state: State) -> bool:
        """Return whether the goal holds; False if it reads an undefined fluent or divides by zero.

        Raises:
            NotJudged: as for `changes`.
        """
        return not self._system.missing_goals(state)


def _judge_in_time(
    steps: Steps,
    system: TransitionSystem,
    budget: Number | None,
    delta: Number | None,
    trace: TimeTrace | None = None,
) -> Verdict:
    """Return the verdict on a plan of PDDL+ in steps of time, or in continuous time without delta.

    Raises:
        NotJudged: see `discretised_verdict` and `continuous_verdict`.
    """
    from pddl_pipeline.validation.continuous import continuous_verdict  # rare
    from pddl_pipeline.validation.discretised import discretised_verdict

    if delta is not None:
        return discretised_verdict(steps, system, budget, delta, trace)
    if system.semantics.tolerance:
        raise NotJudged("continuous time is judged without a tolerance")
    return continuous_verdict(steps, system, budget, trace)


def _step_fault(words: Sequence[str], vocabulary: Vocabulary) -> tuple[ErrorKind, str]:
    """Return the first error of words that are not an action of a task with its arguments.

    Args:
        words: the name of the action and the arguments.
        vocabulary: the vocabulary of the task.
    """
    name, *arguments = words
    action = vocabulary.actions.get(name)
    if action is None:
        near = did_you_mean(name, vocabulary.actions)
        return ErrorKind.UNKNOWN_ACTION, f"unknown action '{name}'{near}"
    parameters = action.parameters
    if len(arguments) != len(parameters):
        found = f"'{name}' takes {counted(len(parameters), 'argument')}, found {len(arguments)}"
        return ErrorKind.WRONG_ARITY, found
    for argument, variable in zip(arguments, parameters, strict=True):
        if argument not in vocabulary.objects:
            near = did_you_mean(argument, vocabulary.objects)
            return ErrorKind.UNKNOWN_OBJECT, f"unknown object '{argument}'{near}"
        if argument not in vocabulary.candidates(variable.types):
            break
    # The lookup of the step failed, so the loop has ended by `break`, at this variable.
    takes = (
        f"{variable.name} takes {'an' if variable.types[0].startswith(tuple('aeiou')) else 'a'} "
        f"{' or '.join(variable.types)}"
    )
    return ErrorKind.WRONG_TYPE, f"'{argument}' is of the wrong type, {takes}"


def read_task(domain: Given, problem: Given = None, *, lenient: bool = False) -> Task:
    """Read a domain and a problem, each given as a path, as PDDL text or as an object.

    A string is text if it contains ``(`` or is blank; otherwise it is a path. Objects are those of
    Unified Planning; one that has the domain is the only argument. A
    lenient reading ignores what is wrong in the problem but read by other parsers, and warns of it;
    see `lenient_problem`.

    Raises:
        PddlError: the text is not valid PDDL; with file, line and column.
        InputError: a file cannot be read, or PDDL cannot express a part of an object.
        TypeError: an argument has another type.
    """
    return task_from_texts(*given_texts(domain, problem, lenient=lenient))


def given_texts(
    domain: Given, problem: Given, *, lenient: bool
) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the texts of a domain and a problem, each with its name for messages.

    Raises:
        PddlError, InputError, TypeError: as for `read_task`; without `lenient`, the texts are not
            read as PDDL.
    """
    domain_text, problem_text = read_given(domain, problem)
    if lenient:
        problem_text = warned_problem(domain_text, problem_text)
    return domain_text, problem_text


def task_of(problem: Problem) -> Task:
    """Return the task of a problem.

    Raises:
        PddlError: as for `read_task`.
    """
    return task_from_texts((problem.domain_pddl, "<domain>"), (problem.problem_pddl, "<problem>"))


def task_from_texts(domain: tuple[str, str], problem: tuple[str, str]) -> Task:
    """Return the task of two PDDL texts, each with a name for messages.

    Raises:
        PddlError: as for `read_task`.
    """
    with paused_collection():
        facts, vocabulary = read_problem(Source(*problem), read_domain(*domain))
    return Task(vocabulary, facts, (domain[0], problem[0]))
