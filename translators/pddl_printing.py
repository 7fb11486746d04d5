"""Prints a PDDL problem. The parts are sorted, so equal input yields equal text.

Datasets have up to a million instances, and the `pddl` library takes 0.2 ms for ten numbers, so it
is not used here. The tests read the printed text with that library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pddl_pipeline.model.atom import atom_text

Fact = tuple[str, ...]
"""Predicate or function, then objects."""


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
    order = sorted(groups, key=lambda kind: (not kind, kind))
    return " ".join(" ".join(groups[kind]) + kind for kind in order)


def _problem_name(instance_id: str) -> str:
    name = re.sub(r"[^a-z0-9_-]", "-", instance_id.lower())
    return name if name[0].isalpha() else f"i{name}"
