"""Discover plug-ins: in the files of a package, and in the entry points of other distributions.

Each file or entry point defines a constant, a tuple of plug-ins. There is no list to extend, and
nothing is registered on import.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

OWN: Final = "pddl-pipeline"
"""The distribution of this project's own plug-ins."""
_SECTION: Final = "[pddl_pipeline."
"""The start of the heading of a group in the file of entry points."""
GROUPS: Final = {
    "pddl_pipeline.planners": "PLANNERS",
    "pddl_pipeline.domains": "TRANSLATOR",
    "pddl_pipeline.formats": "FORMATS",
    "pddl_pipeline.generators": "GENERATORS",
    "pddl_pipeline.questions": "KINDS",
    "pddl_pipeline.baselines": "BASELINES",
    "pddl_pipeline.rewards": "REWARDS",
    "pddl_pipeline.studies": "STUDIES",
    "pddl_pipeline.statements": "STATEMENTS",
}
"""The groups of entry points, each with the constant of the modules that they name."""


class Plugin(NamedTuple):
    """A module that another distribution provides."""

    group: str
    name: str
    """The entry point's name."""
    distribution: str
    module: Any
    """None if it cannot be used."""
    fault: str = ""
    """Why it cannot be used, in one line."""


def discover(package: str, constant: str) -> Iterator[Any]:
    """Yield the items of a constant, a tuple, of each file of a package; skip files without it."""
    folders = import_module(package).__path__
    for module in iter_modules(folders, f"{package}."):
        yield from getattr(import_module(module.name), constant, ())


def registry(
    packages: str | Sequence[str], group: str, name: Callable[[Any], str] = attrgetter("name")
) -> dict[str, Any]:
    """Return the items of the files of packages and of a group's entry points by name.

    Raises:
        InputError: two items have the same name; the message names both distributions.
    """
    constant = GROUPS[group]
    own = [packages] if isinstance(packages, str) else packages
    found: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for source, item in (
        *((OWN, item) for package in own for item in discover(package, constant)),
        *plugged_items(group),
    ):
        key = name(item)
        if key in found:
            raise InputError(
                f"two {constant.lower()} have the name '{key}': one from {sources[key]}, one from "
                f"{source}"
            )
        found[key], sources[key] = item, source
    return found


def plugged_items(group: str) -> Iterator[tuple[str, Any]]:
    """Yield the items of a group's entry points, each with its distribution.

    An entry point that cannot be used is left out; see `plugins`.
    """
    for plugin in plugins(group):
        if not plugin.fault:
            found = getattr(plugin.module, GROUPS[group])
            for item in found if isinstance(found, tuple) else (found,):
                yield plugin.distribution, item


def provider(group: str, item: Any) -> str:
    """Return the distribution that provides an item of a group."""
    found = (source for source, each in plugged_items(group) if each is item)
    return next(found, OWN)


@cache
def plugins(group: str) -> tuple[Plugin, ...]:
    """Return the modules of a group's entry points; if one fails, return its error as its fault.

    A plug-in that fails must not break commands that do not need it; `doctor` prints the fault.
    """
    return tuple(_plugin(group, each) for each in _entries() if each.group == group)


@cache
def _entries() -> tuple[EntryPoint, ...]:
    """Return the entry points of all groups, each once."""
    if not _is_any_installed():
        return ()
    from importlib.metadata import distributions  # noqa: PLC0415 -- takes 20 ms

    found: dict[tuple[str, str, str], EntryPoint] = {}
    for each in distributions():
        if _SECTION in (each.read_text("entry_points.txt") or ""):
            for entry in each.entry_points:
                if entry.group in GROUPS:
                    # The first distribution of a name on the path is the one that is imported.
                    found.setdefault((each.name, entry.group, entry.name), entry)
    return tuple(found.values())


def _is_any_installed() -> bool:
    """Return whether a distribution on the path has an entry point of a group.

    Most users have none, and then this takes 4 ms instead of 40 ms for a first look at the metadata
    of 200 distributions.
    """
    return any(
        _SECTION in file.read_text(encoding="utf-8", errors="replace")
        for place in sys.path
        for file in Path(place).glob("*-info/entry_points.txt")
    )


def _plugin(group: str, entry: EntryPoint) -> Plugin:
    distribution = entry.dist
    source = "an unknown distribution" if distribution is None else distribution.name
    constant = GROUPS[group]
    try:
        module = entry.load()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        return Plugin(group, entry.name, source, None, reason[:300])
    if not hasattr(module, constant):
        return Plugin(group, entry.name, source, None, f"{entry.value} has no {constant}")
    return Plugin(group, entry.name, source, module)
