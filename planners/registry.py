"""Finds planners by name: every engine's file has a constant PLANNERS."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from pddl_pipeline.model.discovery import discover
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.planners.fast_downward import search_planner
from pddl_pipeline.planners.planner import Planner

_SEARCH: Final = "fd:"


@cache
def planners() -> dict[str, Planner]:
    """Return every planner by its name."""
    return {planner.name: planner for planner in discover("pddl_pipeline.planners", "PLANNERS")}


def planner_named(name: str) -> Planner:
    """Return a planner.

    Raises:
        InputError: there is none of that name.
    """
    known = planners()
    if name.startswith(_SEARCH):
        if name.strip() == _SEARCH:
            raise InputError("fd: is not followed by a search, such as fd:astar(lmcut())")
        return search_planner(name.removeprefix(_SEARCH))
    base, colon, settings = name.partition(":")
    if base not in known:
        raise InputError(f"unknown planner '{base}'{hint(base, known)}")
    if not colon:
        return known[base]
    configure = known[base].configure
    if configure is None:
        raise InputError(f"{name}: the planner {base} has no settings")
    return configure(settings)


def choose_planner(features: AbstractSet[str]) -> Planner:
    """Return the planner for a task with these features when the user names none.

    ENHSP where there are numbers, and Fast Downward else: optimal where actions have costs, since
    a cost that nobody minimises is of no use, and the first plan of LAMA for the rest.
    """
    if "numeric" in features:
        return planners()["enhsp"]
    return planners()["seq-opt-lmcut" if "costs" in features else "lama-first"]


def decider_of(domain: str) -> Planner | None:
    """Return the planner whose claims that there is no plan are proofs in a domain, if any."""
    return next(
        (each for each in planners().values() if domain and each.complete_for == domain), None
    )


def planner_version(planner: Planner) -> str:
    """Return the versions of what runs: Unified Planning and the engine's distribution."""
    return f"{_installed('unified-planning')}, {_installed(planner.distribution)}"


@cache
def _installed(distribution: str) -> str:
    try:
        return f"{distribution} {version(distribution)}"
    except PackageNotFoundError:
        return f"{distribution} missing"
