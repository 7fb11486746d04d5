"""The registry of planners: every engine's file has a constant PLANNERS."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from pddl_pipeline.model.discovery import registry
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.planners.command_planner import SPECIFICATION, specified_planner
from pddl_pipeline.planners.fast_downward import SEARCH, search_planner
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.unified_planning import UP_ENGINE, up_planner
from pddl_pipeline.validation.features import FEATURES


@cache
def planners() -> dict[str, Planner]:
    """Return every planner by its name."""
    return registry("pddl_pipeline.planners", "pddl_pipeline.planners")


def planner_named(name: str) -> Planner:
    """Return the planner with a name, which may include settings after a colon.

    Raises:
        InputError: there is no planner with that name, or its settings are invalid.
    """
    for form, read in _READERS:
        if form.match(name):
            return read(name)
    known = planners()
    base, colon, settings = name.partition(":")
    if base not in known:
        # `./mine {domain} {problem}` is a command without its name.
        is_command = base == "cmd" or any(each in base for each in "/{")
        advice = "; a command is given as NAME=cmd:COMMAND" if is_command else hint(base, known)
        raise InputError(f"unknown planner '{base}'{advice}")
    if not colon:
        return known[base]
    configure = known[base].configure
    if configure is None:
        raise InputError(f"{name}: the planner {base} has no settings")
    return configure(settings)


def _specified(text: str) -> Planner:
    found = specified_planner(text)
    if found.name in planners():
        raise InputError(
            f"{found.name}: a planner of this project already has that name; choose another"
        )
    return found


_MISSING: Final = "missing"
_READERS: Final = (
    (SPECIFICATION, _specified),
    (UP_ENGINE, up_planner),
    (SEARCH, search_planner),
)
"""The forms of names that define a planner, each with the function that reads such a name."""


def choose_planner(features: AbstractSet[str]) -> Planner:
    """Return the default planner for a task with these features.

    This is ENHSP for numeric tasks, optimal Fast Downward for other tasks with action costs that it
    supports, since costs are of no use unless they are minimised, and else the first plan of LAMA.
    For temporal tasks and those with preferences or constraints, it is Kairos, which solves the
    most of them. ENHSP is the only one for tasks with processes or events.
    """
    if "processes" in features:
        return planners()["enhsp"]
    if not features.isdisjoint({"temporal", "pddl3"}):
        return planners()["kairos"]
    if "numeric" in features:
        return planners()["enhsp"]
    optimal = "costs" in features and "adl" not in features
    return planners()["seq-opt-lmcut" if optimal else "lama-first"]


def lacking(planner: Planner, features: AbstractSet[str]) -> AbstractSet[str]:
    """Return the features of a task that a planner does not support.

    Costs may be ignored; the verdict has the cost of the plan.
    """
    return (features & FEATURES) - planner.features - {"costs"}


def others_for(planner: Planner, features: AbstractSet[str]) -> list[str]:
    """Return the names of the other installed engines that support a task's features."""
    return [
        each.name
        for each in planners().values()
        if each.distribution != planner.distribution
        if not (lacking(each, features) or missing_note(each))
    ]


def decider_of(domain: str) -> Planner | None:
    """Return the planner that is complete for a domain, None if there is none."""
    # Reversed, so that the first planner of a domain is the last to be stored.
    named = {planner.claims.complete_for: planner for planner in reversed(planners().values())}
    return named.get(domain) if domain else None


def planner_version(planner: Planner) -> str:
    """Return the versions of Unified Planning and of the engine's distribution."""
    if planner.version:
        return planner.version
    # A plug-in's planner may need no distribution, like a user's command.
    needed = filter(None, ("unified-planning", planner.distribution))
    return ", ".join(map(_installed, needed))


def missing_note(planner: Planner) -> str:
    """Return how to install a planner that is missing; an empty string if it is installed."""
    name = planner.distribution
    found = not name or _installed(name) != f"{name} {_MISSING}"
    return "" if found else f" (not installed; fix: pip install {name})"


@cache
def _installed(distribution: str) -> str:
    try:
        return f"{distribution} {version(distribution)}"
    except PackageNotFoundError:
        return f"{distribution} {_MISSING}"
