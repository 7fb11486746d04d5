"""Functions that recover a record's fields from a parsed problem, shared by the domains."""

from __future__ import annotations

from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.pddl_printing import Fact
from pddl_pipeline.validation.language import And, Atom, Condition
from pddl_pipeline.validation.schema import conjuncts
from pddl_pipeline.validation.task import Task


def goal_atoms(task: Task) -> tuple[Fact, ...]:
    """Return the atoms of a goal that is an atom or a conjunction of atoms."""
    goal = task.facts.goal
    parts = goal.parts if isinstance(goal, And) else (goal,)
    return tuple((part.predicate, *part.terms) for part in parts if isinstance(part, Atom))


def only_atoms(condition: Condition) -> list[Fact] | None:
    """Return the atoms of a conjunction, or the only atom; None if there are other parts."""
    parts = list(conjuncts(condition))
    atoms = [(part.predicate, *part.terms) for part in parts if isinstance(part, Atom)]
    return atoms if len(atoms) == len(parts) else None


def facts_named(task: Task, predicate: str) -> list[Fact]:
    """Return the initial facts of a predicate, sorted."""
    return sorted(fact for fact in task.facts.facts if fact[0] == predicate)


def objects_of(task: Task, kind: str) -> tuple[str, ...]:
    """Return the objects of a type in natural order."""
    objects = task.vocabulary.objects
    return tuple(sorted((name for name in objects if kind in objects[name]), key=natural))


def only(names: list[str]) -> str | None:
    """Return the first name of a list of at most one, or None if it is empty."""
    return names[0] if names else None
