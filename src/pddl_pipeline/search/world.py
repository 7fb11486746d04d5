"""The state space of a task, with successors that are made fast.

It means what the validator means: `Task.successors` is the reference, slow and for every task. What
is plain STRIPS becomes bit masks; everything else goes through the validator's own code.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeVar

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.judged_world import JudgedWorld
from pddl_pipeline.search.strips import ground_strips
from pddl_pipeline.search.strips_world import StripsWorld
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import Task

State = TypeVar("State", bound=Hashable)


class World(Protocol[State]):
    """A state space. States can be compared and hashed; what was spent is no part of them."""

    @property
    def start(self) -> State:
        """The state in which plans start."""

    @property
    def goals(self) -> int:
        """How many parts the goal has."""

    def successors(self, state: State) -> Sequence[tuple[Step, State]]:
        """Return the applicable steps with their states, sorted by action and arguments.

        Raises:
            NotJudged: as `Task.successors`.
        """

    def is_goal(self, state: State) -> bool:
        """Whether the goal holds."""

    def goals_met(self, state: State) -> int:
        """Return how many parts of the goal hold."""

    def atoms(self, state: State) -> frozenset[Ground]:
        """Return every atom that holds, those that never change included."""

    def told(self, state: State) -> tuple[str, ...]:
        """Return what holds of all that may change, as PDDL, sorted.

        Values of fluents are told as ``(= (value n1) 7/3)``.
        """

    def cost(self, step: Step, state: State) -> Number:
        """Return by how much a step that is applicable makes the metric grow.

        It is 1 where there is no metric, or one that is to be maximised.

        Raises:
            StepFails: the step is not applicable.
            NotJudged: the metric cannot be evaluated.
        """

    def apply(self, step: Step, state: State) -> State:
        """Return the state after a step of the task.

        Raises:
            StepFails: it is not applicable.
        """


def world_of(task: Task) -> World[Any]:
    """Return the state space of a task.

    Raises:
        NotJudged: the task uses a part of PDDL that is not judged.
    """
    if task.facts.unsupported:
        raise NotJudged(str(task.facts.unsupported[0]))
    strips = ground_strips(task)
    return JudgedWorld(task) if strips is None else StripsWorld(task, strips)
