"""The state space of a task: its initial state, the changes of its actions, its goal states.

Judging a plan without derived predicates does not need the modules that are imported in functions;
their import would take a tenth of the time of a small `validate`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pddl_pipeline.model.errors import StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.frame import Frame
from pddl_pipeline.validation.language import Atom, Binding, Condition, Ground, ProblemFacts
from pddl_pipeline.validation.problem_reader import TOTAL_TIME
from pddl_pipeline.validation.schema import Conjunction, Schemas, conjuncts
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pddl_pipeline.validation.axioms import Axioms
    from pddl_pipeline.validation.explanation import Unsatisfied
    from pddl_pipeline.validation.stratification import Sources
    from pddl_pipeline.validation.successors import Successor, SuccessorGenerator
    from pddl_pipeline.validation.val.repair_advice import RepairAdvisor


class TransitionSystem:
    """A task, compiled for simulation."""

    def __init__(self, vocabulary: Vocabulary, facts: ProblemFacts, tolerance: Number = 0) -> None:
        self.semantics = Semantics(vocabulary, tolerance)
        self._vocabulary = vocabulary
        self._facts = facts
        self.schemas = Schemas(vocabulary.actions, self.semantics, vocabulary)
        self._derives = bool(vocabulary.derived)
        frame = Frame()
        self._goal = Conjunction(self.semantics, facts.goal, frame)
        self._goal_words = frame.words
        self._parts_frame = Frame()

    @cached_property
    def axioms(self) -> Axioms:
        """The rules of the derived predicates."""
        from pddl_pipeline.validation.axioms import Axioms  # noqa: PLC0415 -- see above

        return Axioms(self._vocabulary, self.semantics)

    @cached_property
    def sources(self) -> Sources:
        """The predicates and functions on which each derived predicate depends.

        Only simultaneous steps need them, and a ground domain has thousands of rules.
        """
        from pddl_pipeline.validation.stratification import sources  # noqa: PLC0415

        return sources([axiom for stratum in self._vocabulary.strata for axiom in stratum])

    @cached_property
    def _generator(self) -> SuccessorGenerator:
        from pddl_pipeline.validation.static_facts import StaticFacts  # noqa: PLC0415
        from pddl_pipeline.validation.successors import SuccessorGenerator  # noqa: PLC0415

        static = StaticFacts(self._vocabulary, self._facts.facts)
        return SuccessorGenerator(
            self._vocabulary, self.semantics, self.schemas.all(), self.axioms, static
        )

    def initial_state(self) -> State:
        """Return the initial state.

        Raises:
            NotJudged: an axiom cannot be evaluated in it.
        """
        state = State(set(self._facts.facts), dict(self._facts.values))
        if self._derives:
            self.axioms.complete(state)
        return state

    def changes(self, action: str, arguments: Sequence[str], state: State) -> Changes:
        """Return the changes that an action makes in a state; the state itself does not change.

        Raises:
            StepFails: a condition does not hold, or an effect cannot be computed.
            NotJudged: a number or quantifier exceeds the limits of the validator.
        """
        fault = ""
        try:
            changes = self.schemas[action].changes(arguments, state)
        except CannotEvaluate as error:
            fault, changes = str(error), None
        if changes is None:
            raise self._failure(action, arguments, state, fault)
        return changes

    def apply(self, step: Sequence[str], state: State) -> None:
        """Apply a step to a state in place, and recompute the derived atoms.

        Args:
            step: the action's name and the arguments.
            state: the state before the step.

        Raises:
            StepFails: as for `changes`; the state is unchanged.
            NotJudged: as for `changes`, or an axiom cannot be evaluated in the new state.
        """
        fault = ""
        try:
            done = self.schemas[step[0]].apply(step, state)
        except CannotEvaluate as error:
            fault, done = str(error), False
        if not done:
            raise self._failure(step[0], step[1:], state, fault)
        if self._derives:
            self.axioms.complete(state)

    def first_failing(self, steps: Sequence[Sequence[str]], state: State) -> int | None:
        """Apply steps to a state in place; return the index of the first that is not applicable.

        The state is then that before this step. This is `apply` for many steps, without reasons.

        Raises:
            NotJudged: as for `apply`.
        """
        schemas, derives = self.schemas, self._derives
        for index, step in enumerate(steps):
            try:
                if not schemas[step[0]].apply(step, state):
                    return index
            except CannotEvaluate:
                return index
            if derives:
                self.axioms.complete(state)
        return None

    def _failure(
        self, action: str, arguments: Sequence[str], state: State, fault: str
    ) -> StepFails:
        missing = self.missing_conditions(action, arguments, state)
        reason = "; ".join(found.why for found in missing) or fault
        return StepFails(reason, tuple(found.condition for found in missing))

    def missing_conditions(
        self, action: str, arguments: Sequence[str], state: State
    ) -> list[Unsatisfied]:
        """Return the conditions of an action that do not hold in a state.

        Raises:
            NotJudged: as for `changes`.
        """
        schema = self.schemas[action]
        binding = schema.action.binding(arguments)
        return self._unsatisfied(schema.failing(arguments, state), binding, state)

    def successors(self, state: State) -> Iterator[Successor]:
        """Yield every applicable step with the state that it leads to.

        Raises:
            NotJudged: as for `changes`.
        """
        return self._generator.successors(state)

    def missing_goals(self, state: State) -> list[Unsatisfied]:
        """Return the parts of the goal that do not hold; empty in a goal state.

        Raises:
            NotJudged: as for `changes`.
        """
        try:
            if self._goal.holds(self._goal_words, state):
                return []
        except CannotEvaluate:
            pass  # the explanation below says which part, and why
        return self._unsatisfied(self._facts.goal, {}, state)

    @cached_property
    def _goal_parts(self) -> tuple[frozenset[Ground], list[Conjunction]]:
        """The atoms of the goal's conjunction, and its other parts, each in `_parts_frame`."""
        atoms, others = set[Ground](), list[Conjunction]()
        for part in conjuncts(self._facts.goal):
            if isinstance(part, Atom):
                atoms.add((part.predicate, *part.terms))
            else:
                others.append(Conjunction(self.semantics, part, self._parts_frame))
        return frozenset(atoms), others

    def missing_parts(self, state: State) -> int:
        """Return how many parts of the goal's conjunction do not hold.

        Raises:
            NotJudged: as for `changes`.
        """
        atoms, others = self._goal_parts
        missing = len(atoms.difference(state.facts))
        for part in others:
            try:
                missing += not part.holds(self._parts_frame.words, state)
            except CannotEvaluate:
                missing += 1
        return missing

    def try_step(self, step: Sequence[str], state: State) -> bool:
        """Apply a step to a state as `apply` does; return whether it was applicable.

        Raises:
            NotJudged: as for `apply`.
        """
        try:
            done = self.schemas[step[0]].apply(step, state)
        except CannotEvaluate:
            return False
        if done and self._derives:
            self.axioms.complete(state)
        return done

    def takes(self, step: Sequence[str]) -> bool:
        """Return whether a step, as words, is an action of the task."""
        return step[0] in self._vocabulary.actions and self.schemas[step[0]].takes(step)

    def _unsatisfied(
        self, condition: Condition, binding: Binding, state: State
    ) -> list[Unsatisfied]:
        from pddl_pipeline.validation.explanation import unsatisfied  # noqa: PLC0415

        return unsatisfied(self.semantics, condition, binding, state)

    def advisor(self, state: State) -> RepairAdvisor:
        """Return an advisor that writes repair advice for a state."""
        from pddl_pipeline.validation.val.repair_advice import RepairAdvisor  # noqa: PLC0415 -- rare

        return RepairAdvisor(self.semantics, self._vocabulary.derived, state)

    def cost(self, state: State, steps: int) -> Number:
        """Return the value of the metric, or the number of steps if there is no metric.

        Raises:
            CannotEvaluate: the metric reads an undefined fluent or divides by zero.
        """
        if self._facts.metric is None:
            return steps
        timed = State(state.facts, {**state.values, (TOTAL_TIME.function,): steps})
        return self.semantics.value(self._facts.metric.value, {}, timed)
