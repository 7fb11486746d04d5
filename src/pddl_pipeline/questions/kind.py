"""The interface of a kind of question: each file of ``kinds`` lists its `Kind`s in KINDS."""

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
    """The content of a question that a kind makes about an instance."""

    question: str
    """The template, filled in."""
    answer: Any
    steps: int
    details: Mapping[str, Any]
    context: str = ""
    """The text between the description of the domain and the question."""


@dataclass(frozen=True)
class Stage:
    """An instance and the data that its questions share."""

    world: World
    teller: StateRenderer
    most_states: int
    """Kinds that need all states make no question about instances with more states."""

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
        """The reason why there is no graph, stored so that the states are not explored again."""
        return []

    @cached_property
    def goals(self) -> tuple[Ground, ...]:
        """The atoms of the goal; empty if the goal is not a conjunction of atoms."""
        return tuple(dict.fromkeys(_atoms(self.world.task.facts.goal) or ()))

    def tell(self, state: State) -> str:
        """Return the description of a state.

        In words, it includes the atoms that never change and that the wording has words for.
        """
        atoms = set(self.world.told(state))
        if self.teller.wording is not None:
            atoms |= set(self.world.fluents.constant(state))
        return self.teller.state(atoms)


@dataclass(frozen=True, slots=True)
class Scene:
    """A stage and the random source of one question."""

    stage: Stage
    lengths: range
    """The numbers of steps to draw from."""
    random: Random

    def walk(self) -> Walk:
        """Return a random walk; see `random_walk`."""
        return random_walk(self.stage.world, self.lengths, self.random)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question."""

    name: str
    about: str
    """A description of one line, for users."""
    make: Callable[[Scene], Draft]
    """Makes a question; raises `NoQuestion` if the instance allows none."""
    mark: Callable[[Question, str], Mark]
    """Marks an answer's text. Never raises because of its content; takes linear time."""
    tell: Callable[[Question], str]
    """Returns the exact answer as text."""
    order: int = field(default=0)
    """Its position among the kinds."""


def _atoms(condition: Condition) -> list[Ground] | None:
    if isinstance(condition, Atom):
        return [(condition.predicate, *condition.terms)]
    if not isinstance(condition, And):
        return None
    found = [_atoms(part) for part in condition.parts]
    return None if None in found else [atom for part in found if part for atom in part]
