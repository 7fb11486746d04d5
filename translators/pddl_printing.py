"""Prints a PDDL problem; sorted, so the same for the same input.

Datasets have a million instances, so this is not left to the `pddl` library, which takes 0.2 ms
for ten numbers; the tests have that library read what is printed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

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
    """Print a problem.

    Args:
        instance_id: becomes the problem's name, changed where PDDL does not allow it.
        domain: name of the domain in its file.
        objects: each object's type; None where the domain is untyped.
        facts: what holds at the start.
        goal: atoms that are to hold at the end.
        values: initial values of the numeric fluents.
        minimise_cost: whether to ask for the least ``total-cost``.
    """
    init = [_atom(fact) for fact in facts]
    init += [f"(= {_atom(fluent)} {value})" for fluent, value in (values or {}).items()]
    atoms = [_atom(fact) for fact in goal]
    metric = "    (:metric minimize (total-cost))\n" if minimise_cost else ""
    return (
        f"(define (problem {_problem_name(instance_id)})\n"
        f"    (:domain {domain})\n"
        f"    (:objects {_objects(objects)})\n"
        f"    (:init {' '.join(sorted(init))})\n"
        f"    (:goal {atoms[0] if len(atoms) == 1 else _atom(('and', *atoms))})\n"
        f"{metric})\n"
    )


def _atom(fact: Fact) -> str:
    return f"({' '.join(fact)})"


def _objects(objects: Mapping[str, str | None]) -> str:
    """Print typed lists, the untyped objects last."""
    groups: dict[str, list[str]] = {}
    for name, kind in sorted(objects.items()):
        groups.setdefault(f" - {kind}" if kind else "", []).append(name)
    order = sorted(groups, key=lambda kind: (not kind, kind))
    return " ".join(" ".join(groups[kind]) + kind for kind in order)


def _problem_name(instance_id: str) -> str:
    name = re.sub(r"[^a-z0-9_-]", "-", instance_id.lower())
    return name if name[0].isalpha() else f"i{name}"
