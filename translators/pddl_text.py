"""Prints a PDDL problem by means of the `pddl` library; sorted, so the same for the same input."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pddl.core import Problem
from pddl.logic.base import And
from pddl.logic.functions import EqualTo, Metric, NumericFunction, NumericValue
from pddl.logic.predicates import Predicate
from pddl.logic.terms import Constant

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
    terms = {name: Constant(name, type_tag=kind) for name, kind in objects.items()}

    def atom(fact: Fact) -> Predicate:
        return Predicate(fact[0], *[terms[name] for name in fact[1:]])

    init = [atom(fact) for fact in facts]
    for fluent, value in (values or {}).items():
        function = NumericFunction(fluent[0], *[terms[name] for name in fluent[1:]])
        init.append(EqualTo(function, NumericValue(value)))
    metric = Metric(NumericFunction("total-cost"), Metric.MINIMIZE) if minimise_cost else None
    problem = Problem(
        _problem_name(instance_id),
        domain_name=domain,
        objects=list(terms.values()),
        init=init,
        goal=And(*[atom(fact) for fact in goal]),
        metric=metric,
    )
    return f"{problem}\n"


def _problem_name(instance_id: str) -> str:
    name = re.sub(r"[^a-z0-9_-]", "-", instance_id.lower())
    return name if name[0].isalpha() else f"i{name}"
