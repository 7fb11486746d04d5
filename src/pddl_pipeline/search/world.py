"""The state space of a task, with fast successors.

Its semantics are the validator's: `Task.successors` is the reference, slow and for every task.
Plain STRIPS uses bit masks; all other tasks use the validator's own code.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.judged_world import JudgedWorld
from pddl_pipeline.search.strips import MOST_OPERATORS, ground_strips
from pddl_pipeline.search.strips_world import StripsWorld
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import Task

State = TypeVar("State", bound=Hashable)


class World(Protocol[State]):
    """A state space. States can be compared and hashed; they do not include the cost so far."""

    @property
    def start(self) -> State:
        """The initial state."""

    @property
    def goals(self) -> int:
        """The number of parts of the goal."""

    def successors(self, state: State) -> Sequence[tuple[Step, State]]:
        """Return the applicable steps with their resulting states, sorted by action and arguments.

        Raises:
            NotJudged: as in `Task.successors`.
        """

    def is_goal(self, state: State) -> bool:
        """Return whether the goal holds."""

    def goals_met(self, state: State) -> int:
        """Return how many parts of the goal hold."""

    def atoms(self, state: State) -> frozenset[Ground]:
        """Return every atom that holds, including those that never change."""

    def holds(self, atom: Ground, state: State) -> bool:
        """Return whether an atom holds."""

    def values(self, state: State) -> Mapping[Ground, Number]:
        """Return the values of the fluents that states depend on and that may change."""

    def fact_texts(self, state: State) -> tuple[str, ...]:
        """Return the changeable facts that hold, as sorted PDDL.

        Values of fluents are written as ``(= (value n1) 7/3)``.
        """

    def cost(self, step: Step, state: State) -> Number:
        """Return by how much an applicable step increases the metric.

        The cost is 1 if there is no metric or the metric is to be maximised.

        Raises:
            StepFails: the step is not applicable.
            NotJudged: the metric cannot be evaluated.
        """

    def apply(self, step: Step, state: State) -> State:
        """Return the state after a step of the task.

        Raises:
            StepFails: the step cannot be applied in the state.
        """


def world_of(task: Task, most_operators: int = MOST_OPERATORS) -> World[Any]:
    """Return the state space of a task.

    Args:
        task: the task.
        most_operators: the number of reachable ground actions above which bit masks are not used.

    Raises:
        NotJudged: the task uses a part of PDDL that is not judged.
    """
    if task.facts.unsupported:
        raise NotJudged(str(task.facts.unsupported[0]))
    strips = ground_strips(task, most_operators)
    return JudgedWorld(task) if strips is None else StripsWorld(task, strips)
