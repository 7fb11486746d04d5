"""The state space of any task, computed by the validator's own code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import (
    Add,
    Delete,
    Effect,
    Fluent,
    ForEach,
    Ground,
    Update,
    When,
)
from pddl_pipeline.validation.problem_reader import TOTAL_COST, TOTAL_TIME
from pddl_pipeline.validation.schema import conjuncts
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_COST: Final[Ground] = (TOTAL_COST.function,)
_TIME: Final[Ground] = (TOTAL_TIME.function,)


class JudgedState(NamedTuple):
    """The changeable part of a state."""

    facts: frozenset[Ground]
    """The changeable atoms that hold."""
    values: tuple[tuple[Ground, Number], ...] = ()
    """The values of the changeable fluents, sorted; costs are included only if they are read."""


class JudgedWorld:
    """A task whose states are computed by the validator; see `World`."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._semantics = Semantics(task.vocabulary)
        effects = [
            effect
            for action in task.vocabulary.actions.values()
            for effect in _flat(action.effects)
        ]
        changing = {each.atom.predicate for each in effects if isinstance(each, (Add, Delete))}
        self._predicates = changing | task.vocabulary.derived
        self._functions = {each.fluent.function for each in effects if isinstance(each, Update)} - (
            {TOTAL_COST.function} if _is_mere_cost(task, effects) else set()
        )
        begin = task.initial_state()
        self._fixed = {fact for fact in begin.facts if fact[0] not in self._predicates}
        self._values = {
            fluent: value
            for fluent, value in begin.values.items()
            if fluent[0] not in self._functions
        }
        self._parts = list(dict.fromkeys(conjuncts(task.facts.goal)))
        self.start = self._key(begin)
        self.goals = len(self._parts)

    def _key(self, state: State) -> JudgedState:
        facts = frozenset(fact for fact in state.facts if fact[0] in self._predicates)
        changed = (item for item in state.values.items() if item[0][0] in self._functions)
        return JudgedState(facts, tuple(sorted(changed)))

    def _state(self, key: JudgedState) -> State:
        return State({*self._fixed, *key.facts}, {**self._values, **dict(key.values)})

    def successors(self, state: JudgedState) -> list[tuple[Step, JudgedState]]:
        """Return the applicable steps with their resulting states; see `World.successors`."""
        return [
            (found.step, self._key(found.state))
            for found in self._task.successors(self._state(state))
        ]

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

    def atoms(self, state: JudgedState) -> frozenset[Ground]:
        """Return every atom that holds."""
        return frozenset(self._fixed | state.facts)

    def told(self, state: JudgedState) -> tuple[str, ...]:
        """Return the changeable facts that hold, as sorted PDDL; see `World.told`."""
        values = [f"(= {_text(fluent)} {number_text(value)})" for fluent, value in state.values]
        return tuple(sorted([*map(_text, state.facts), *values]))

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


def _text(words: Ground) -> str:
    return f"({' '.join(words)})"


def _flat(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield all effects, including those nested in conditional and universal effects."""
    for effect in effects:
        yield effect
        if isinstance(effect, (When, ForEach)):
            yield from _flat(effect.effects)


def _is_mere_cost(task: Task, effects: list[Effect]) -> bool:
    """Return whether total-cost only sums up the costs of steps, so that no state depends on it."""
    metric = task.facts.metric
    if metric is not None and metric.value != TOTAL_COST and _reads_cost(metric.value):
        return False
    updates = [each for each in effects if isinstance(each, Update)]
    axioms = [axiom for stratum in task.vocabulary.strata for axiom in stratum]
    read = (
        task.facts.goal,
        tuple(axiom.body for axiom in axioms),
        tuple(action.precondition for action in task.vocabulary.actions.values()),
        tuple(each.condition for each in effects if isinstance(each, When)),
        tuple(each.value for each in updates),
    )
    return not _reads_cost(read) and all(
        each.operator in ("increase", "decrease") for each in updates if each.fluent == TOTAL_COST
    )


def _reads_cost(node: object) -> bool:
    if isinstance(node, Fluent):
        return (node.function, *node.terms) == _COST
    return isinstance(node, tuple) and any(map(_reads_cost, node))
