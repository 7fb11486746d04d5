"""A part of a large task: the objects around a failing step, which have room in a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pddl_pipeline.validation.language import And, Atom, Not, conjuncts
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates

_MOST: Final = 40
"""So many objects fill a screen."""


def around(task: Task, state: State, names: Iterable[str]) -> frozenset[str]:
    """Return objects and what they stand in: facts that can change name it behind an object.

    Args:
        task: the task.
        state: the state whose facts count.
        names: the objects in the middle.
    """
    objects, changing = task.vocabulary.objects, changing_predicates(task.vocabulary)
    facts = sorted(fact[1:] for fact in state.facts if len(fact) > 2 and fact[0] in changing)
    chosen = dict.fromkeys(name for name in names if name in objects)
    size = -1
    while size < len(chosen) < _MOST:
        size = len(chosen)
        # What an object is in, and what that is in; not everything else that is there, too.
        near = [fact for fact in facts if fact[0] in chosen]
        chosen |= dict.fromkeys(name for fact in near for name in fact)
    return frozenset(list(chosen)[:_MOST])


def part_of(task: Task, names: frozenset[str]) -> Task:
    """Return a task with some of its objects only, and the facts and parts of the goal on them."""
    # The task itself stays whole: verdicts are of all objects.
    vocabulary = task.vocabulary.extended()
    vocabulary.objects = {
        name: types for name, types in task.vocabulary.objects.items() if name in names
    }
    facts, (start,) = task.facts, states_of([State({*task.facts.facts}, task.facts.values)], names)
    goal = tuple(part for part in conjuncts(facts.goal) if _names(part) <= names)
    return Task(
        vocabulary,
        facts._replace(facts=frozenset(start.facts), values=start.values, goal=And(goal)),
    )


def states_of(states: Sequence[State], names: frozenset[str]) -> list[State]:
    """Return states with the facts and values of some objects only."""
    return [
        State(
            {fact for fact in state.facts if names.issuperset(fact[1:])},
            {name: value for name, value in state.values.items() if names.issuperset(name[1:])},
        )
        for state in states
    ]


def _names(part: object) -> frozenset[str]:
    """Return the objects of a literal; of other conditions, something that no task has."""
    atom = part.part if isinstance(part, Not) else part
    return frozenset(atom.terms) if isinstance(atom, Atom) else frozenset(("",))
