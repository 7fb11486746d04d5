"""Finds generators by domain and method: every family's file has a constant GENERATORS."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from pddl_pipeline.generators.generator import Generator


@cache
def generators() -> dict[str, dict[str, Generator[Any]]]:
    """Return the generators of each domain by their methods; the first is the domain's default."""
    found: dict[str, dict[str, Generator[Any]]] = {}
    for module in iter_modules([str(Path(__file__).parent)]):
        file = import_module(f"pddl_pipeline.generators.{module.name}")
        for generator in getattr(file, "GENERATORS", ()):
            found.setdefault(generator.domain, {})[generator.method] = generator
    return dict(sorted(found.items()))
