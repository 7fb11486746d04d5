"""Facts and goals in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.given_pddl import our_names
from pddl_pipeline.translators.problems import only_atoms
from pddl_pipeline.translators.referee import Fact
from pddl_pipeline.validation.task import Task


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

    def ordered(self, facts: Iterable[Fact], instance: Instance[Any]) -> list[Fact]:
        """Return the given facts that have a phrase, under this project's names, in order."""
        names, order = our_names(instance), list(self.templates)
        ours = [(names.get(fact[0], fact[0]), *fact[1:]) for fact in facts]
        return sorted(
            (fact for fact in ours if fact[0] in self.templates),
            key=lambda fact: (order.index(fact[0]), [natural(name) for name in fact[1:]]),
        )

    def initial(self, instance: Instance[Any], task: Task) -> list[Fact]:
        """Return the initial facts that have a phrase, under this project's names, in order."""
        return self.ordered(task.facts.facts, instance)

    def goal(self, instance: Instance[Any], task: Task) -> list[Fact]:
        """Return the goal's atoms that have a phrase, likewise; none if it has other parts."""
        return self.ordered(only_atoms(task.facts.goal) or (), instance)

    def covers(self, instance: Instance[Any], task: Task) -> bool:
        """Return whether an initial fact and all atoms of the goal, a conjunction, have phrases."""
        goal = only_atoms(task.facts.goal)
        covered = goal and len(self.goal(instance, task)) == len(goal)
        return bool(covered and self.initial(instance, task))

    def phrases(self, facts: Iterable[Fact], object_phrases: Mapping[str, str]) -> list[str]:
        """Return a phrase for each fact, given the phrase for each object."""
        return [
            self.templates[fact[0]].format(*(object_phrases[name] for name in fact[1:]))
            for fact in facts
        ]

    def state_phrases(self, facts: list[Fact], object_phrases: Mapping[str, str]) -> list[str]:
        """Return the phrases of a whole state."""
        return self.state(facts) if self.state else self.phrases(facts, object_phrases)
