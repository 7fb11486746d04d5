"""The state space of a task, with limits on time and memory for large tasks."""

from __future__ import annotations

from math import prod
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.questions.fluents import COST, Fluents, cost_is_read, fluents_of
from pddl_pipeline.questions.question import NoQuestion
from pddl_pipeline.validation.language import Action, Atom, Ground
from pddl_pipeline.validation.matching import FactIndex, matches
from pddl_pipeline.validation.schema import conjuncts
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.successors import Successor
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.work_limit import WorkLimit

MAX_BINDINGS: Final = 200_000
"""Successors are not computed in states with more ways to name objects."""


class Key(NamedTuple):
    """The part of a state that identifies it."""

    facts: frozenset[Ground]
    values: frozenset[tuple[Ground, Number]]


class World:
    """A task with the data that its questions share."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.fluents: Fluents = fluents_of(task)
        self.start = task.initial_state()
        self.cost_matters = cost_is_read(task)
        """Whether states that differ only in their cost count as different."""
        groundings = sum(map(self._groundings, task.vocabulary.actions.values()))
        self._is_small = groundings <= MAX_BINDINGS

    def successors(self, state: State) -> list[Successor]:
        """Return every applicable step with its successor state, sorted by action and arguments.

        Raises:
            NoQuestion: there may be more than `MAX_BINDINGS` steps.
        """
        if not self._is_small:
            self._check_bindings(state)
        return list(self.task.successors(state))

    def is_applicable(self, step: Step, state: State) -> bool:
        """Return whether a step of the task is applicable in a state."""
        try:
            self.task.changes(step, state)
        except StepFails:
            return False
        return True

    def told(self, state: State) -> frozenset[str]:
        """Return the atoms and values of a state that may change; see `Fluents.told`."""
        return self.fluents.told(state)

    def key(self, state: State) -> Key:
        """Return the key of a state: its fluents, and the cost if an action reads it."""
        fluents = self.fluents
        values = (
            item
            for item in state.values.items()
            if item[0][0] in fluents.functions or (self.cost_matters and item[0][0] == COST)
        )
        facts = (fact for fact in state.facts if fact[0] in fluents.predicates)
        return Key(frozenset(facts), frozenset(values))

    def state(self, key: Key) -> State:
        """Return the state with a key, completed by the atoms that never change."""
        fixed = (fact for fact in self.start.facts if fact[0] not in self.fluents.predicates)
        return State({*fixed, *key.facts}, self.start.values | dict(key.values))

    def _groundings(self, action: Action) -> int:
        candidates = self.task.vocabulary.candidates
        return prod(len(candidates(parameter.types)) for parameter in action.parameters)

    def _check_bindings(self, state: State) -> None:
        """Count the steps that matching would try, without creating them.

        Raises:
            NoQuestion: there are more than `MAX_BINDINGS`.
        """
        index, left, effort = FactIndex(state.facts), MAX_BINDINGS, WorkLimit()
        for action in self.task.vocabulary.actions.values():
            atoms = [part for part in conjuncts(action.precondition) if isinstance(part, Atom)]
            bound = {term for atom in atoms for term in atom.terms}
            free = prod(
                len(self.task.vocabulary.candidates(parameter.types))
                for parameter in action.parameters
                if parameter.name not in bound
            )
            try:
                for _ in matches(atoms, {}, index, effort):
                    left -= free
                    if left < 0:
                        break
            except NotJudged:
                left = -1
            if left < 0:
                raise NoQuestion(
                    f"a state has more than {MAX_BINDINGS:,} ways to name objects", final=True
                )
