"""The kinds of questions by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pddl_pipeline.model.discovery import discover
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.questions.kind import Kind


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind by name, SimPlan's first."""
    found: list[Kind] = list(discover("pddl_pipeline.questions.kinds", "KINDS"))
    return {kind.name: kind for kind in sorted(found, key=lambda kind: kind.order)}


def kind_named(name: str) -> Kind:
    """Return the kind with a name.

    Raises:
        InputError: no kind has that name.
    """
    if name not in kinds():
        raise InputError(f"unknown kind of question '{name}'{hint(name, kinds())}")
    return kinds()[name]
