"""The state space of any task, computed by the validator's own code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import prod
from typing import Final, NamedTuple

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.changing import changing
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.join import joined
from pddl_pipeline.validation.language import Action, And, Atom, Ground, Not, Same
from pddl_pipeline.validation.problem_reader import TOTAL_TIME
from pddl_pipeline.validation.query import Query
from pddl_pipeline.validation.schema import conjuncts
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.static_facts import StaticFacts
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.work_limit import WorkLimit

_TIME: Final[Ground] = (TOTAL_TIME.function,)


class JudgedState(NamedTuple):
    """The changeable part of a state."""

    facts: frozenset[Ground]
    """The changeable atoms that hold."""
    values: frozenset[tuple[Ground, Number]] = frozenset()
    """The values of the changeable fluents; costs are included only if they are read."""


class JudgedWorld:
    """A task whose states are computed by the validator; see `World`."""

    def __init__(
        self, task: Task, most_bindings: int | None = None, *, with_goal: bool = True
    ) -> None:
        """Store a task; successors are computed on demand.

        Args:
            task: the task.
            most_bindings: the number of ways to give objects to the parameters of the actions
                above which the successors of a state are not computed; None without a limit.
            with_goal: see `changing`.
        """
        self._task = task
        self._static = StaticFacts(task.vocabulary, task.facts.facts)
        self._semantics = Semantics(task.vocabulary)
        predicates, self._functions = changing(task, with_goal=with_goal)
        begin = task.initial_state()
        self._fixed = {fact for fact in begin.facts if fact[0] not in predicates}
        self._values = {
            fluent: value
            for fluent, value in begin.values.items()
            if fluent[0] not in self._functions
        }
        self._parts = list(dict.fromkeys(conjuncts(task.facts.goal)))
        self.start = self._key(begin)
        self.goals = len(self._parts)
        groundings = sum(map(self._groundings, task.vocabulary.actions.values()))
        self._most_bindings = groundings if most_bindings is None else most_bindings
        self._is_small = groundings <= self._most_bindings

    def _key(self, state: State) -> JudgedState:
        changed = (item for item in state.values.items() if item[0][0] in self._functions)
        return JudgedState(frozenset(state.facts - self._fixed), frozenset(changed))

    def _state(self, key: JudgedState) -> State:
        return State(self._fixed | key.facts, {**self._values, **dict(key.values)})

    def successors(self, state: JudgedState) -> list[tuple[Step, JudgedState]]:
        """Return the applicable steps with their resulting states; see `World.successors`.

        Raises:
            NotJudged: also if the state exceeds the limit on bindings.
        """
        full_state = self._state(state)
        if not self.allows(full_state.facts):
            raise NotJudged(f"a state has more than {self._most_bindings:,} bindings of parameters")
        return [(found.step, self._key(found.state)) for found in self._task.successors(full_state)]

    def is_goal(self, state: JudgedState) -> bool:
        """Return whether the goal holds."""
        return self._task.goal_holds(self._state(state))

    def goals_met(self, state: JudgedState) -> int:
        """Return how many parts of the goal hold."""
        full_state, met = self._state(state), 0
        for part in self._parts:
            try:
                met += self._semantics.holds(part, {}, full_state)
            except CannotEvaluate:
                continue
        return met

    def holds(self, atom: Ground, state: JudgedState) -> bool:
        """Return whether an atom holds."""
        return atom in state.facts or atom in self._fixed

    def atoms(self, state: JudgedState) -> frozenset[Ground]:
        """Return every atom that holds."""
        return frozenset(self._fixed | state.facts)

    def values(self, state: JudgedState) -> Mapping[Ground, Number]:
        """Return the values of the changeable fluents."""
        return dict(state.values)

    def fact_texts(self, state: JudgedState) -> tuple[str, ...]:
        """Return the changeable facts that hold, as sorted PDDL; see `World.fact_texts`."""
        values = [value_text(fluent, value) for fluent, value in state.values]
        return tuple(sorted([*map(atom_text, state.facts), *values]))

    def cost(self, step: Step, state: JudgedState) -> Number:
        """Return by how much a step increases the metric; see `World.cost`."""
        metric = self._task.facts.metric
        if metric is None or metric.maximise:
            return 1
        before = self._state(state)
        after = before.copy()
        self._task.apply(step, after)
        return self._measured(after, 1) - self._measured(before, 0)

    def _measured(self, state: State, steps: int) -> Number:
        metric = self._task.facts.metric
        timed = State(state.facts, {**state.values, _TIME: steps})
        if metric is None:
            return steps
        try:
            return self._semantics.value(metric.value, {}, timed)
        except CannotEvaluate as error:
            raise NotJudged(f"the metric cannot be evaluated: {error}") from None

    def apply(self, step: Step, state: JudgedState) -> JudgedState:
        """Return the state after a step; see `World.apply`."""
        full_state = self._state(state)
        self._task.apply(step, full_state)
        return self._key(full_state)

    def _groundings(self, action: Action) -> int:
        candidates = self._task.vocabulary.candidates
        return prod(len(candidates(parameter.types)) for parameter in action.parameters)

    def allows(self, facts: Iterable[Ground]) -> bool:
        """Return whether every state with only these atoms is within the limit on bindings.

        This counts the steps that the join of the preconditions finds, without creating them.
        """
        if self._is_small:
            return True
        state, left, effort = State(set(facts), {}), self._most_bindings, WorkLimit()
        index = self._static.index(state.facts)
        try:
            for query in self._queries:
                for _ in joined(query, index, state, effort):
                    left -= 1
                    if left < 0:
                        return False
        except NotJudged:
            return False
        return True

    @cached_property
    def _queries(self) -> list[Query]:
        """The atoms and equalities of each precondition: more atoms never make them false."""
        return [
            Query(_with_fewer_parts(action), self._semantics, self._task.vocabulary)
            for action in self._task.vocabulary.actions.values()
        ]


def _with_fewer_parts(action: Action) -> Action:
    parts = [
        part
        for part in conjuncts(action.precondition)
        if isinstance(part, (Atom, Same)) or (isinstance(part, Not) and isinstance(part.part, Same))
    ]
    return action._replace(precondition=And(tuple(parts)))


def value_text(fluent: Ground, value: Number) -> str:
    """Return the value of a fluent as PDDL, such as ``(= (value n1) 7/3)``."""
    return f"(= {atom_text(fluent)} {number_text(value)})"
