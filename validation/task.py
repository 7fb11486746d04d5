"""A task that was read once and judges any number of plans."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.errors import PddlError, PlanSyntaxError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.domain_reader import read_domain
from pddl_pipeline.validation.execution import progress, verdict_on
from pddl_pipeline.validation.language import ProblemFacts
from pddl_pipeline.validation.plan_reader import GivenSteps, Steps, plan_of, read_steps
from pddl_pipeline.validation.plan_source import plan_text
from pddl_pipeline.validation.problem_reader import read_problem
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.successors import Successor
from pddl_pipeline.validation.transition_system import TransitionSystem
from pddl_pipeline.validation.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pathlib import Path

    from pddl_pipeline.model.problem import Problem
    from pddl_pipeline.validation.narration import Happening
    from pddl_pipeline.validation.plan_source import PlanSource


class Task:
    """A domain and a problem. Made by `read_task`."""

    def __init__(self, vocabulary: Vocabulary, facts: ProblemFacts) -> None:
        self.vocabulary = vocabulary
        """Types, objects, predicates, functions and actions."""
        self.facts = facts
        """Initial facts and values, goal, metric."""
        self._loose: dict[Number, TransitionSystem] = {}

    def __reduce__(self) -> tuple[type[Task], tuple[Vocabulary, ProblemFacts]]:
        # What is cached can be computed again.
        return Task, (self.vocabulary, self.facts)

    def __repr__(self) -> str:
        objects, actions = len(self.vocabulary.objects), len(self.vocabulary.actions)
        name = f"{self.vocabulary.name} {self.facts.name}"
        return f"<Task {name}: {objects} objects, {actions} actions>"

    @cached_property
    def _system(self) -> TransitionSystem:
        return TransitionSystem(self.vocabulary, self.facts)

    def judge(
        self, plan: PlanSource, budget: Number | None = None, tolerance: Number = 0
    ) -> Verdict:
        """Judge a plan.

        Args:
            plan: text in the IPC form, a `Path`, a `Plan`, or a sequence of steps such as
                ``["(stack a b)", ...]``. A string is always text.
            budget: the most that the plan may cost; sets ``within_budget`` of a valid plan.
            tolerance: absolute slack of every numeric comparison, strict ones included. 0 is PDDL;
                1/10000 is what VAL does.

        A text that is no plan of this task is ``malformed``, whatever its other steps do.

        Raises:
            InputError: the file cannot be read.
            TypeError: ``plan`` is something else.
        """
        if self.facts.unsupported:
            return Verdict(Status.UNDECIDED, reason=str(self.facts.unsupported[0]))
        try:
            steps = self._steps(plan)
        except PlanSyntaxError as error:
            return Verdict(
                Status.MALFORMED, failed_step=error.step, reason=error.message,
                line=error.line, column=error.column,
            )  # fmt: skip
        return verdict_on(steps, self._with_slack(tolerance), budget)

    def _with_slack(self, tolerance: Number) -> TransitionSystem:
        if tolerance == 0:
            return self._system
        if tolerance not in self._loose:
            self._loose[tolerance] = TransitionSystem(self.vocabulary, self.facts, tolerance)
        return self._loose[tolerance]

    def _steps(self, plan: PlanSource) -> Steps:
        steps = GivenSteps(plan) if isinstance(plan, Plan) else read_steps(plan_text(plan))
        schemas = self._system.schemas
        for index, words in enumerate(steps.words):
            schema = schemas.get(words[0])
            if schema is None or not schema.takes(words[1:]):
                line, column = steps.places()[index]
                slug, fault = self._fault(words)
                raise PlanSyntaxError(
                    f"step {index + 1} ({' '.join(words)}): {fault}",
                    line=line, column=column, step=index + 1, slug=slug,
                )  # fmt: skip
        return steps

    def read_plan(self, plan: PlanSource) -> Plan:
        """Read a plan and check that each step is an action of this task.

        Raises:
            PlanSyntaxError: syntax, unknown action or object, wrong arity or type.
        """
        return plan_of(self._steps(plan))

    def _fault(self, words: list[str]) -> tuple[ErrorKind, str]:
        """Return why the words are no action of this task."""
        vocabulary = self.vocabulary
        name, *arguments = words
        action = vocabulary.actions.get(name)
        if action is None:
            near = did_you_mean(name, vocabulary.actions)
            return ErrorKind.UNKNOWN_ACTION, f"unknown action '{name}'{near}"
        parameters = action.parameters
        if len(arguments) != len(parameters):
            found = f"'{name}' takes {len(parameters)} arguments, found {len(arguments)}"
            return ErrorKind.WRONG_ARITY, found
        for argument, variable in zip(arguments, parameters, strict=True):
            if argument not in vocabulary.objects:
                near = did_you_mean(argument, vocabulary.objects)
                return ErrorKind.UNKNOWN_OBJECT, f"unknown object '{argument}'{near}"
            if argument not in vocabulary.candidates(variable.types):
                break
        takes = f"{variable.name} takes a {' or '.join(variable.types)}"
        return ErrorKind.WRONG_TYPE, f"'{argument}' is of the wrong type, {takes}"

    def initial_state(self) -> State:
        """Return the state in which plans start.

        Raises:
            NotJudged: an axiom cannot be evaluated there.
        """
        return self._system.initial_state()

    def changes(self, step: Step, state: State) -> Changes:
        """Return what a step of this task does in a state; the state stays as it is.

        Raises:
            StepFails: a condition does not hold, or an effect cannot be computed.
            NotJudged: numbers, quantifiers or axioms outgrow what is computed.
        """
        return self._system.changes(step.action, step.arguments, state)

    def apply(self, step: Step, state: State) -> None:
        """Do a step of this task in place, and derive anew what axioms derive.

        Raises:
            StepFails: as for `changes`; the state is unchanged.
            NotJudged: as for `changes`; the state is not to be used any more.
        """
        self._system.apply(step.action, step.arguments, state)

    def trace(self, plan: PlanSource) -> Iterator[State]:
        """Yield the initial state, and the state after each step (steps at one time: after all).

        Raises:
            PddlError: the task uses a part of PDDL that is not judged.
            PlanSyntaxError: the text is no plan of this task; before the first state.
            StepFails: a step is not applicable; after the states before it.
            NotJudged: as for `changes`; after the states before.
        """
        self._check_supported()
        steps = self._steps(plan)
        state = self.initial_state()
        yield state.copy()
        for _ in progress(steps, self._system, state):
            yield state.copy()

    def narrate(self, plan: PlanSource, *, keep_going: bool = False) -> Iterator[Happening]:
        """Yield what happens at each step of a plan, up to the one that fails; see `narrated`.

        Raises:
            PddlError: the task uses a part of PDDL that is not judged.
            PlanSyntaxError: the text is no plan of this task; before the first happening.
        """
        from pddl_pipeline.validation.narration import narrated  # noqa: PLC0415 -- rarely needed

        self._check_supported()
        return narrated(self._steps(plan), self._system, keep_going=keep_going)

    def goal_advice(self, state: State) -> str:
        """Return VAL's repair advice on the goal in a state, as lines.

        Raises:
            NotJudged: as for `changes`.
        """
        return self._system.advisor(state).advice(self.facts.goal, {})

    def successors(self, state: State) -> Iterator[Successor]:
        """Yield every applicable step with the state that it leads to.

        Raises:
            PddlError: the task uses a part of PDDL that is not judged.
            NotJudged: as for `changes`.
        """
        self._check_supported()
        return self._system.successors(state)

    def _check_supported(self) -> None:
        if self.facts.unsupported:
            part = self.facts.unsupported[0]
            raise PddlError(f"{part.feature} is not judged", file=part.file, line=part.line)

    def goal_holds(self, state: State) -> bool:
        """Whether the goal holds; one that reads an undefined fluent or divides by zero does not.

        Raises:
            NotJudged: as for `changes`.
        """
        return not self._system.missing_goals(state)


def read_task(domain: str | Path, problem: str | Path) -> Task:
    """Read a domain and a problem, each given as a path or as PDDL text.

    A string is text where it holds a parenthesis or is blank, else a path.

    Raises:
        PddlError: the text is not the PDDL that is judged here; with file, line and column.
        InputError: a file cannot be read.
        TypeError: an argument is neither a string nor a path.
    """
    return task_from_texts(read_pddl(domain, "domain"), read_pddl(problem, "problem"))


def task_of(problem: Problem) -> Task:
    """Return the task of a problem.

    Raises:
        PddlError: as for `read_task`.
    """
    return task_from_texts((problem.domain_pddl, "<domain>"), (problem.problem_pddl, "<problem>"))


def task_from_texts(domain: tuple[str, str], problem: tuple[str, str]) -> Task:
    """Return the task from two texts, each with a name for messages.

    Raises:
        PddlError: as for `read_task`.
    """
    facts, vocabulary = read_problem(*problem, read_domain(*domain))
    return Task(vocabulary, facts)


def read_pddl(source: str | Path, kind: str) -> tuple[str, str]:
    """Return a PDDL text and its name for messages, from a path or the text itself.

    Raises:
        InputError: the file cannot be read.
        TypeError: it is neither a string nor a path.
    """
    if not isinstance(source, (str, os.PathLike)):
        found = type(source).__name__
        raise TypeError(f"{kind}: found {found}, expected a path or PDDL text")
    if isinstance(source, str) and ("(" in source or not source.strip()):
        return source, f"<{kind}>"
    return read_file(source), str(source)
