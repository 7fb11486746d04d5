"""The state that a question is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plan import Step
from pddl_pipeline.questions.question import NoQuestion
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.reachability import Reachability
from pddl_pipeline.search.world import World, world_of
from pddl_pipeline.validation.task import Task, task_from_texts

MOST_OPERATORS: Final = 20_000
"""Number of ground actions above which states are computed by the validator."""


@dataclass(frozen=True)
class Situation:
    """A state of a task."""

    task: Task
    world: World[Any]
    """The state space."""
    walk: Sequence[Step]
    """The steps from the initial state."""
    effort: Effort
    """The limits of the search for one answer."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What the question is about besides the state."""

    @cached_property
    def state(self) -> Any:
        """The state, in `world`."""
        state = self.world.start
        for step in self.walk:
            state = self.world.apply(step, state)
        return state

    @cached_property
    def successors(self) -> Sequence[tuple[Step, Any]]:
        """The applicable steps, each with the state that follows."""
        return self.world.successors(self.state)

    @cached_property
    def search(self) -> Reachability:
        """A search from the state, within the limits."""
        return Reachability(self.world.starting(self.state), self.effort)


def situation_of(details: Mapping[str, Any]) -> Situation:
    """Return the state that a question is about, from the PDDL in the question.

    Raises:
        NoQuestion: the question has no PDDL, or PDDL that cannot be read.
        NotJudged: the task uses a part of PDDL that is not judged.
    """
    texts = details.get("domain"), details.get("problem")
    if None in texts:
        raise NoQuestion("the question has no PDDL")
    try:
        task, world = _task(*map(str, texts))
        # Items of ACPBench have their state as the initial one, and no walk.
        walk = task.read_plan("\n".join(details.get("walk", ()))).steps
    except InputError as error:
        raise NoQuestion(str(error)) from error
    return Situation(task, world, walk, Effort(), details)


@lru_cache(maxsize=4)
def _task(domain: str, problem: str) -> tuple[Task, World[Any]]:
    task = task_from_texts((domain, "domain"), (problem, "problem"))
    task.check_supported()
    return task, world_of(task, MOST_OPERATORS)
