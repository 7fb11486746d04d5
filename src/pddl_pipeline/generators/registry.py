"""Finds generators by domain and method: the file of each family defines GENERATORS."""

from __future__ import annotations

from functools import cache
from typing import Any

from pddl_pipeline.generators.generator import Generator
from pddl_pipeline.model.discovery import registry


def _name(generator: Generator[Any]) -> str:
    return f"{generator.domain}/{generator.method}"


@cache
def generators() -> dict[str, dict[str, Generator[Any]]]:
    """Return the generators by domain and method; the first method is the domain's default."""
    found: dict[str, dict[str, Generator[Any]]] = {}
    every = registry("pddl_pipeline.generators", "pddl_pipeline.generators", _name)
    for generator in every.values():
        found.setdefault(generator.domain, {})[generator.method] = generator
    return dict(sorted(found.items()))
