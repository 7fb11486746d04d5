"""Facts and goals in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.given_pddl import our_names
from pddl_pipeline.translators.problems import only_atoms
from pddl_pipeline.translators.referee import Fact
from pddl_pipeline.validation.task import Task

FactPhrases = Mapping[str, str]
"""The phrase for each object."""


def goal_of(instance: Instance[Any], task: Task) -> list[Fact] | None:
    """Return a goal's atoms under this project's names; None if it has other parts than atoms."""
    names = our_names(instance)
    atoms = only_atoms(task.facts.goal)
    return atoms and [(names.get(atom[0], atom[0]), *atom[1:]) for atom in atoms]


def listed(phrases: Sequence[str]) -> str:
    """Return phrases as PlanBench lists them: with commas, and ``and`` before the last one."""
    *others, last = phrases
    return f"{', '.join(others)} and {last}" if others else last


@dataclass(frozen=True)
class FactWords:
    """The words for a domain's facts."""

    templates: Mapping[str, str]
    """By this project's name of the predicate, a phrase with ``{0}``, ``{1}``, … for its objects.
    Facts are written in this order; those of other predicates are omitted."""
    state: Callable[[list[Fact]], list[str]] | None = None
    """Returns the phrases of a whole state, if not every fact has its own phrase."""

    @cached_property
    def _order(self) -> dict[str, int]:
        return {predicate: index for index, predicate in enumerate(self.templates)}

    def initial(self, instance: Instance[Any], task: Task) -> list[Fact]:
        """Return the initial facts that have a phrase, under this project's names, in order."""
        return self.ordered(task.facts.facts, instance)

    def ordered(self, facts: Iterable[Fact], instance: Instance[Any]) -> list[Fact]:
        """Return the given facts that have a phrase, under this project's names, in order."""
        names = our_names(instance)
        ours = [(names.get(fact[0], fact[0]), *fact[1:]) for fact in facts]
        return sorted((fact for fact in ours if fact[0] in self.templates), key=self._key)

    def _key(self, fact: Fact) -> Any:
        return self._order[fact[0]], [natural(name) for name in fact[1:]]

    def goal(self, instance: Instance[Any], task: Task) -> list[Fact]:
        """Return the goal's atoms in the order of their phrases."""
        return sorted(goal_of(instance, task) or [], key=self._key)

    def covers(self, instance: Instance[Any], task: Task) -> bool:
        """Return whether an initial fact and all atoms of the goal, a conjunction, have phrases."""
        goal = goal_of(instance, task)
        covered = bool(goal) and all(atom[0] in self.templates for atom in goal or ())
        return covered and bool(self.initial(instance, task))

    def phrases(self, facts: Iterable[Fact], object_phrases: FactPhrases) -> list[str]:
        """Return a phrase for each fact."""
        return [self.phrase(fact, object_phrases) for fact in facts]

    def phrase(self, fact: Fact, object_phrases: FactPhrases) -> str:
        """Return the phrase for a fact."""
        return self.templates[fact[0]].format(*(object_phrases[name] for name in fact[1:]))

    def state_phrases(self, facts: list[Fact], object_phrases: FactPhrases) -> list[str]:
        """Return the phrases of a whole state."""
        return self.state(facts) if self.state else self.phrases(facts, object_phrases)

    def reasoning(
        self,
        plan: Plan,
        instance: Instance[Any],
        task: Task,
        sentences: Sequence[str],
        object_phrases: FactPhrases,
    ) -> str:
        """Return a plan with the facts that become true at each step, one line per step.

        Args:
            plan: steps that can be executed.
            instance: the instance of the plan.
            task: the instance's task.
            sentences: the sentence for each step.
            object_phrases: the phrase for each object.
        """
        states = pairwise(state.facts for state in task.trace(plan))
        lines = []
        for number, (sentence, (before, after)) in enumerate(
            zip(sentences, states, strict=True), start=1
        ):
            new = self.phrases(self.ordered(after - before, instance), object_phrases)
            now = f"Now {listed(new)}." if new else "Nothing changes."
            lines.append(f"{number}. {sentence[0].upper()}{sentence[1:]}. {now}")
        return "\n".join(lines)
