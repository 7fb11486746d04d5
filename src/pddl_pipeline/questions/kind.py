"""The kinds of question: each file of ``kinds`` lists its `Kind`s in KINDS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import inf
from random import Random
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.discovery import registry
from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.suggestion import item_named
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.questions.fluents import Fluents
from pddl_pipeline.questions.question import Mark, NoQuestion, Question
from pddl_pipeline.questions.situation import MOST_OPERATORS, Situation
from pddl_pipeline.questions.templates import CURRENTLY, TEMPLATES, THE_GOAL, asked
from pddl_pipeline.questions.walk import Walk, random_walk
from pddl_pipeline.questions.wording import Wording, render_atom, render_state
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.state_graph import StateGraph
from pddl_pipeline.search.world import JudgedState, JudgedWorld, StripsWorld, World, world_of
from pddl_pipeline.translators.problems import only_atoms
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import Task

MAX_TRIES: Final = 500_000
"""Number of facts that may be tried to find the successors of a state."""


Solve = Callable[[Situation], Any]
"""Returns the exact answer to a question about a state.

Raises `NoQuestion` if there is none, or `NotJudged` if that is not decided within the limits.
"""


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

    task: Task
    fluents: Fluents
    wording: Wording | None
    """The words for states; None for PDDL."""
    most_states: int
    """Kinds that need all states make no question about instances with more states."""
    pddl: Mapping[str, str] = field(default_factory=dict)
    """The texts of ``domain`` and ``problem``."""

    @cached_property
    def world(self) -> JudgedWorld:
        """The state space for walks: it needs no preparation, but its successors are slow."""
        return JudgedWorld(self.task, MAX_TRIES, with_goal=False)

    @cached_property
    def prepared_world(self) -> World[Any]:
        """The state space for kinds that explore many states, or for which the goal matters."""
        found = world_of(self.task, MOST_OPERATORS)
        return found if isinstance(found, StripsWorld) else JudgedWorld(self.task, MAX_TRIES)

    @cached_property
    def graph(self) -> StateGraph | None:
        """All states of `prepared_world`; None if there are too many."""
        try:
            return StateGraph(self.prepared_world, Effort(inf, self.most_states)).whole()
        except NotJudged:
            return None

    @cached_property
    def goals(self) -> tuple[Ground, ...]:
        """The atoms of the goal; empty if the goal is not a conjunction of atoms."""
        return tuple(dict.fromkeys(only_atoms(self.task.facts.goal) or ()))

    @cached_property
    def constant(self) -> list[str]:
        """The atoms and values that no action changes, as sorted PDDL."""
        return self.fluents.constant(self.task.facts.facts, self.task.facts.values)

    def facts(self, state: JudgedState) -> frozenset[str]:
        """Return the atoms and values of a state of `world` that may change, as PDDL."""
        return self.fluents.changing(state.facts, self.world.values(state))

    def situation(self, walk: Walk) -> Situation:
        """Return the last state of a walk, in `prepared_world`."""
        return Situation(self.task, self.prepared_world, walk.steps, Effort(inf, self.most_states))

    def describe(self, state: JudgedState) -> str:
        """Return the description of a state of `world`.

        A description in words includes the constant atoms for which the wording has words.
        """
        constant = self.constant if self.wording else ()
        return render_state(self.wording, self.facts(state).union(constant))


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

    def situated(
        self,
        kind: str,
        solve: Solve,
        subject: Callable[[Situation], dict[str, Any]] = lambda _: {},
        *,
        goal: bool = False,
    ) -> Draft:
        """Make a question about the end of a walk.

        Args:
            kind: the kind of question, whose template is used.
            solve: returns the answer.
            subject: returns what the question is about besides the state. It becomes part of the
                details, and fills the template.
            goal: whether the question is about the goal.
        """
        stage, walk = self.stage, self.walk()
        situation = stage.situation(walk)
        if goal and not stage.goals:
            raise NoQuestion("its goal is not a conjunction of atoms", final=True)
        about = subject(situation)
        answer = solve(replace(situation, details=about))
        parts = [CURRENTLY.format(state=stage.describe(walk.end))]
        if goal:
            atoms = [render_atom(stage.wording, atom_text(atom)) for atom in stage.goals]
            parts.append(THE_GOAL.format(goal=", ".join(atoms)))
        details = {**stage.pddl, "walk": walk.texts, **about}
        return Draft(asked(kind, **about), answer, len(walk.steps), details, "\n".join(parts))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question."""

    name: str
    about: str
    """A description of one line, for users."""
    make: Callable[[Scene], Draft] | None
    """Makes a question; raises `NoQuestion` if the instance allows none. None if there are only
    published questions."""
    mark: Callable[[Question, str], Mark]
    """Marks an answer's text. Never raises because of its content; takes linear time."""
    answer_text: Callable[[Question], str] = lambda question: str(question.answer)
    """Returns the exact answer as text."""
    solve: Solve | None = None
    """Returns the exact answer to a question with PDDL; None if it is not computed again."""


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind by name, in the order of the templates, which are SimPlan's first."""
    found = registry("pddl_pipeline.questions.kinds", "pddl_pipeline.questions")
    # The kind of a plug-in has no template, and comes last.
    return dict(sorted(found.items(), key=lambda item: [*TEMPLATES, item[0]].index(item[0])))


def made_kinds() -> list[str]:
    """Return the names of the kinds of which questions can be made."""
    return [name for name, kind in kinds().items() if kind.make is not None]


def kind_named(name: str) -> Kind:
    """Return the kind with a name.

    Raises:
        InputError: no kind has that name.
    """
    return item_named(kinds(), name, "unknown kind of question")
