"""A task that was read once and judges any number of plans."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from pddl_pipeline.model.errors import InputError, PddlError, PlanSyntaxError, StepFails, TooLarge
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.domain_reader import read_domain
from pddl_pipeline.validation.explanation import unsatisfied
from pddl_pipeline.validation.interference import Footprint, FootprintReader
from pddl_pipeline.validation.language import Action, ProblemFacts
from pddl_pipeline.validation.plan_reader import read_plan
from pddl_pipeline.validation.problem_reader import TOTAL_TIME, read_problem
from pddl_pipeline.validation.semantics import CannotEvaluate, Semantics
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.successors import Successor, successors
from pddl_pipeline.validation.vocabulary import Vocabulary

_REASON_LIMIT = 400


class Task:
    """A domain and a problem. Made by `read_task`."""

    def __init__(self, vocabulary: Vocabulary, facts: ProblemFacts) -> None:
        self.vocabulary = vocabulary
        """Types, objects, predicates, functions and actions."""
        self.facts = facts
        """Initial facts and values, goal, metric."""
        self._semantics = Semantics(vocabulary)

    def initial_state(self) -> State:
        """Return the state in which plans start."""
        return State(set(self.facts.facts), dict(self.facts.values))

    def judge(self, plan: str | Plan, budget: Number | None = None) -> Verdict:
        """Judge a plan, given as text or as steps.

        Args:
            plan: a plan in the IPC form.
            budget: the most that the plan may cost; sets ``within_budget`` of a valid plan.

        A text that is no plan of this task is ``malformed``, whatever its other steps do.
        """
        if self.facts.unsupported:
            return Verdict(Status.UNDECIDED, reason=str(self.facts.unsupported[0]))
        try:
            steps = self.read_plan(plan).steps
        except PlanSyntaxError as error:
            return Verdict(
                Status.MALFORMED, failed_step=error.step, reason=error.message,
                line=error.line, column=error.column,
            )  # fmt: skip
        try:
            return self._execute(steps, budget)
        except TooLarge as error:
            return Verdict(Status.UNDECIDED, len(steps), reason=str(error))

    def _execute(self, steps: tuple[Step, ...], budget: Number | None) -> Verdict:
        state = self.initial_state()
        try:
            for number, group in _happenings(steps):
                self._happen(number, group, state)
        except StepFails as error:
            return Verdict(
                Status.INVALID, len(steps), failed_step=error.step, reason=_cut(error.reason),
                unsatisfied=error.conditions,
            )  # fmt: skip
        missing = unsatisfied(self._semantics, self.facts.goal, {}, state)
        if missing:
            why = "; ".join(found.why for found in missing)
            return Verdict(
                Status.INVALID, len(steps), reason=_cut(f"goal not satisfied: {why}"),
                unsatisfied=tuple(found.condition for found in missing),
            )  # fmt: skip
        try:
            cost = self._cost(state, len(steps))
        except CannotEvaluate as error:
            return Verdict(
                Status.VALID, len(steps), reason=f"the metric cannot be computed: {error}"
            )
        within = None if budget is None else cost <= budget
        return Verdict(Status.VALID, len(steps), cost, within_budget=within)

    def _happen(self, number: int, steps: tuple[Step, ...], state: State) -> None:
        """Do steps that happen at the same time; ``number`` is the position of the first.

        Raises:
            StepFails: a step is not applicable, or interferes with another; tells which.
        """
        if len(steps) > 1:
            self._check_together(number, steps, state)
        # Steps that do not interfere have the same effect one after the other.
        for position, step in enumerate(steps, start=number):
            self._changes_at(position, step, state).apply(state)

    def _check_together(self, number: int, steps: tuple[Step, ...], state: State) -> None:
        footprints: list[Footprint] = []
        for position, step in enumerate(steps, start=number):
            action = self.vocabulary.actions[step.action]
            reader = FootprintReader(self._semantics, self._changes_at(position, step, state))
            footprint = reader.read(action, _bind(action, step))
            for other, earlier in enumerate(footprints, start=number):
                shared = footprint.interferes(earlier)
                if shared is not None:
                    over = f"over ({' '.join(shared)})"
                    reason = f"steps {other} and {position} at the same time interfere {over}"
                    raise StepFails(reason, step=position)
            footprints.append(footprint)

    def _changes_at(self, position: int, step: Step, state: State) -> Changes:
        try:
            return self.changes(step, state)
        except StepFails as error:
            reason = f"step {position} {step}: {error.reason}"
            raise StepFails(reason, error.conditions, position) from None

    def read_plan(self, plan: str | Plan) -> Plan:
        """Read a plan and check that each step is an action of this task.

        Raises:
            PlanSyntaxError: syntax, unknown action or object, wrong arity or type.
        """
        steps = read_plan(plan) if isinstance(plan, str) else plan
        for number, step in enumerate(steps.steps, start=1):
            fault = self._fault(step)
            if fault:
                raise PlanSyntaxError(
                    f"step {number} {step}: {fault}",
                    line=step.line,
                    column=step.column,
                    step=number,
                )
        return steps

    def _fault(self, step: Step) -> str | None:
        """Return why a step is no action of this task, or None."""
        vocabulary = self.vocabulary
        action = vocabulary.actions.get(step.action)
        if action is None:
            return f"unknown action '{step.action}'{did_you_mean(step.action, vocabulary.actions)}"
        if len(step.arguments) != len(action.parameters):
            expected = len(action.parameters)
            return f"'{action.name}' takes {expected} arguments, found {len(step.arguments)}"
        for name, variable in zip(step.arguments, action.parameters, strict=True):
            if name not in vocabulary.objects:
                return f"unknown object '{name}'{did_you_mean(name, vocabulary.objects)}"
            if not vocabulary.types.fits(vocabulary.objects[name], variable.types):
                wanted = " or ".join(variable.types)
                return f"'{name}' is of the wrong type, {variable.name} takes a {wanted}"
        return None

    def changes(self, step: Step, state: State) -> Changes:
        """Return what a step of this task does in a state; the state stays as it is.

        Raises:
            StepFails: a condition does not hold, or an effect cannot be computed.
        """
        action = self.vocabulary.actions[step.action]
        binding = _bind(action, step)
        try:
            if self._semantics.holds(action.precondition, binding, state):
                return self._semantics.changes(action.effects, binding, state)
        except CannotEvaluate as error:
            fault = str(error)
        else:
            fault = ""
        missing = unsatisfied(self._semantics, action.precondition, binding, state)
        reason = "; ".join(found.why for found in missing) or fault
        raise StepFails(reason, tuple(found.condition for found in missing))

    def trace(self, plan: str | Plan) -> Iterator[State]:
        """Yield the initial state, and the state after each step (steps at one time: after all).

        Raises:
            PddlError: the task uses a part of PDDL that is not judged.
            PlanSyntaxError: the text is no plan of this task; before the first state.
            StepFails: a step is not applicable; after the states before it.
        """
        self._check_supported()
        steps = self.read_plan(plan).steps
        state = self.initial_state()
        yield state.copy()
        for number, group in _happenings(steps):
            self._happen(number, group, state)
            yield state.copy()

    def successors(self, state: State) -> Iterator[Successor]:
        """Yield every applicable step with the state that it leads to.

        Raises:
            PddlError: the task uses a part of PDDL that is not judged.
        """
        self._check_supported()
        return successors(self.vocabulary, self._semantics, state)

    def _check_supported(self) -> None:
        if self.facts.unsupported:
            part = self.facts.unsupported[0]
            raise PddlError(f"{part.feature} is not judged", file=part.file, line=part.line)

    def goal_holds(self, state: State) -> bool:
        """Whether the goal holds; a goal that cannot be evaluated does not."""
        return not unsatisfied(self._semantics, self.facts.goal, {}, state)

    def _cost(self, state: State, steps: int) -> Number:
        if self.facts.metric is None:
            return steps
        timed = State(state.facts, {**state.values, (TOTAL_TIME.function,): steps})
        return self._semantics.value(self.facts.metric.value, {}, timed)


def read_task(domain: str | Path, problem: str | Path) -> Task:
    """Read a domain and a problem, each given as a path or as PDDL text.

    A string is text where it holds a parenthesis or is blank, else a path.

    Raises:
        PddlError: the text is not the PDDL that is judged here; with file, line and column.
        InputError: a file cannot be read.
    """
    domain_text, domain_name = read_pddl(domain, "domain")
    problem_text, problem_name = read_pddl(problem, "problem")
    facts, vocabulary = read_problem(
        problem_text, problem_name, read_domain(domain_text, domain_name)
    )
    return Task(vocabulary, facts)


def read_pddl(source: str | Path, kind: str) -> tuple[str, str]:
    """Return a PDDL text and its name for messages, from a path or the text itself.

    Raises:
        InputError: the file cannot be read.
    """
    if isinstance(source, str) and ("(" in source or not source.strip()):
        return source, f"<{kind}>"
    return read_file(Path(source)), str(source)


def read_file(path: Path) -> str:
    """Return a text file's content without a byte order mark.

    Bytes that are not UTF-8 become a sign that no name may have: in a comment they do no harm.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        return path.read_bytes().decode("utf-8", errors="replace").removeprefix("\ufeff")
    except (OSError, ValueError) as error:
        # ValueError: a path with a character that no file name has.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read: {reason}", file=str(path)) from error


def _bind(action: Action, step: Step) -> dict[str, str]:
    names = (variable.name for variable in action.parameters)
    return dict(zip(names, step.arguments, strict=True))


def _happenings(steps: tuple[Step, ...]) -> Iterator[tuple[int, tuple[Step, ...]]]:
    """Yield the steps that happen together, with the 1-based position of the first."""
    position = 1
    for time, group in groupby(steps, key=lambda step: step.time):
        together = tuple(group)
        if time is None:
            yield from ((position + index, (step,)) for index, step in enumerate(together))
        else:
            yield position, together
        position += len(together)


def _cut(reason: str) -> str:
    return reason if len(reason) <= _REASON_LIMIT else f"{reason[:_REASON_LIMIT]}…"
