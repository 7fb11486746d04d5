"""What a kind of question plugs in: one `Kind` in a file of its own, in KINDS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from pddl_pipeline.questions.question import Mark, NoQuestion, Question
from pddl_pipeline.questions.state_graph import StateGraph
from pddl_pipeline.questions.state_rendering import StateRenderer
from pddl_pipeline.questions.walk import Walk, random_walk
from pddl_pipeline.questions.world import World
from pddl_pipeline.validation.language import And, Atom, Condition, Ground
from pddl_pipeline.validation.state import State


class Draft(NamedTuple):
    """What a kind makes of an instance."""

    question: str
    """The template, filled in."""
    answer: Any
    steps: int
    details: Mapping[str, Any]
    context: str = ""
    """What stands between what is known of the domain and the question."""


@dataclass(frozen=True)
class Stage:
    """An instance that questions are made of, and what they share."""

    world: World
    teller: StateRenderer
    most_states: int
    """Kinds that need all states make no question of instances with more."""

    @cached_property
    def graph(self) -> StateGraph:
        """All states.

        Raises:
            NoQuestion: there are too many.
        """
        if self._too_large:
            raise NoQuestion(self._too_large[0], final=True)
        try:
            return StateGraph(self.world, self.world.start, self.most_states)
        except NoQuestion as error:
            self._too_large.append(str(error))
            raise

    @cached_property
    def _too_large(self) -> list[str]:
        """Why there is no graph, once that is known: exploring again would give the same."""
        return []

    @cached_property
    def goals(self) -> tuple[Ground, ...]:
        """The atoms that the goal asks for; empty where it asks for anything else, too."""
        return tuple(dict.fromkeys(_atoms(self.world.task.facts.goal) or ()))

    def tell(self, state: State) -> str:
        """Return the description of a state, with what never changes but has words of its own."""
        told = set(self.world.told(state))
        if self.teller.wording is not None:
            told |= set(self.world.fluents.constant(state))
        return self.teller.state(told)


@dataclass(frozen=True, slots=True)
class Scene:
    """A stage, and the draws for one question."""

    stage: Stage
    lengths: range
    """From which the number of steps is drawn."""
    random: Random

    def walk(self) -> Walk:
        """Return a random walk; see `random_walk`."""
        return random_walk(self.stage.world, self.lengths, self.random)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question."""

    name: str
    about: str
    """One line for users."""
    make: Callable[[Scene], Draft]
    """Raises `NoQuestion` where an instance allows none."""
    mark: Callable[[Question, str], Mark]
    """Marks a text; never raises for what it holds, and takes time linear in its length."""
    tell: Callable[[Question], str]
    """The exact answer as text."""
    order: int = field(default=0)
    """Where it stands among the kinds."""


def _atoms(condition: Condition) -> list[Ground] | None:
    if isinstance(condition, Atom):
        return [(condition.predicate, *condition.terms)]
    if not isinstance(condition, And):
        return None
    found = [_atoms(part) for part in condition.parts]
    return None if None in found else [atom for part in found if part for atom in part]
