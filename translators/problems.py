"""Prints PDDL problems, and recovers the fields of records from parsed ones.

The parts of a problem are sorted, so equal input yields equal text. Datasets have up to a million
instances, and the `pddl` library takes 0.2 ms for ten numbers, so it is not used here. The tests
read the printed text with that library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pddl_pipeline.model.text import atom_text
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.referee import Fact
from pddl_pipeline.validation.language import Atom, Condition, conjuncts
from pddl_pipeline.validation.task import Task


def problem_text(  # noqa: PLR0913 -- the parts of a problem file
    instance_id: str,
    domain: str,
    objects: Mapping[str, str | None],
    facts: Iterable[Fact],
    goal: Iterable[Fact],
    *,
    values: Mapping[Fact, int] | None = None,
    minimise_cost: bool = False,
) -> str:
    """Return the text of a problem.

    Args:
        instance_id: becomes the problem's name, with characters that PDDL does not allow replaced.
        domain: name of the domain in its file.
        objects: each object's type; None if the domain is untyped.
        facts: the facts of the initial state.
        goal: the atoms of the goal.
        values: initial values of the numeric fluents.
        minimise_cost: whether to add the metric that minimises ``total-cost``.
    """
    init = [atom_text(fact) for fact in facts]
    init += [f"(= {atom_text(fluent)} {value})" for fluent, value in (values or {}).items()]
    atoms = [atom_text(fact) for fact in goal]
    metric = "    (:metric minimize (total-cost))\n" if minimise_cost else ""
    return (
        f"(define (problem {_problem_name(instance_id)})\n"
        f"    (:domain {domain})\n"
        f"    (:objects {_objects(objects)})\n"
        f"    (:init {' '.join(sorted(init))})\n"
        f"    (:goal {atoms[0] if len(atoms) == 1 else atom_text(('and', *atoms))})\n"
        f"{metric})\n"
    )


def _objects(objects: Mapping[str, str | None]) -> str:
    """Return typed lists, with the untyped objects last."""
    groups: dict[str, list[str]] = {}
    for name, kind in sorted(objects.items()):
        groups.setdefault(f" - {kind}" if kind else "", []).append(name)
    # A type counts for all names since the last one, so names without a type come last.
    order = sorted(groups, key=lambda kind: (not kind, kind))
    return " ".join(" ".join(groups[kind]) + kind for kind in order)


def _problem_name(instance_id: str) -> str:
    name = re.sub(r"[^a-z0-9_-]", "-", instance_id.lower())
    # A name of PDDL begins with a letter.
    return name if name[0].isalpha() else f"i{name}"


def goal_atoms(task: Task) -> tuple[Fact, ...]:
    """Return the atoms of a goal that is an atom or a conjunction of atoms; else none."""
    return tuple(only_atoms(task.facts.goal) or ())


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
