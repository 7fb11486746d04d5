"""Discover plug-ins: in the files of a package, and in the entry points of other distributions.

Each file or entry point defines a constant, a tuple of plug-ins. There is no list to extend, and
nothing is registered on import.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib import import_module
from io import StringIO
from operator import attrgetter
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.model.suggestion import hint

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

OWN: Final = "pddl-pipeline"
"""The distribution of this project's own plug-ins."""
_SECTION: Final = "[pddl_pipeline."
"""The start of the heading of a group in the file of entry points."""
_PDDL: Final = "domain.pddl"
_LONGEST: Final = 300


class Group(NamedTuple):
    """A group of entry points: what the modules that it names contain."""

    constant: str
    """The constant of each module: a tuple of items, or one item."""
    kinds: tuple[str, ...]
    """The type of an item, as ``module:name``; if there are several, an item is a tuple of them."""
    has_folder: bool = False
    """Whether each module also has a constant `FOLDER`: the folder of a domain's files."""


GROUPS: Final = {
    "pddl_pipeline.planners": Group("PLANNERS", ("pddl_pipeline.planners.planner:Planner",)),
    "pddl_pipeline.domains": Group(
        "TRANSLATOR", ("pddl_pipeline.translators.translator:Translator",), has_folder=True
    ),
    "pddl_pipeline.formats": Group("FORMATS", ("pddl_pipeline.translators.formats.format:Format",)),
    "pddl_pipeline.generators": Group(
        "GENERATORS", ("pddl_pipeline.generators.generator:Generator",)
    ),
    "pddl_pipeline.questions": Group("KINDS", ("pddl_pipeline.questions.kind:Kind",)),
    "pddl_pipeline.baselines": Group("BASELINES", ("pddl_pipeline.search.baseline:Baseline",)),
    "pddl_pipeline.rewards": Group(
        "REWARDS", ("pddl_pipeline.planners.baselines.rewards.reward:Reward",)
    ),
    "pddl_pipeline.pictures": Group("PICTURES", ("pddl_pipeline.pictures.picture:Picture",)),
    "pddl_pipeline.studies": Group("STUDIES", ("pddl_pipeline.studies.study:Study",)),
    "pddl_pipeline.statements": Group(
        "STATEMENTS", ("builtins:str", "builtins:str", "pddl_pipeline.translators.text:Statement")
    ),
}
"""The groups of entry points by name."""


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
    printed: str = ""
    """What it printed when it was imported, in one line."""


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
    constant = GROUPS[group].constant
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
    for plugin in usable_plugins(group):
        for item in _items(getattr(plugin.module, GROUPS[group].constant)):
            yield plugin.distribution, item


def _items(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


def provider(group: str, item: Any) -> str:
    """Return the distribution that provides an item of a group."""
    found = (source for source, each in plugged_items(group) if each is item)
    return next(found, OWN)


def usable_plugins(group: str) -> list[Plugin]:
    """Return the modules of a group's entry points that can be used."""
    return [plugin for plugin in plugins(group) if not plugin.fault]


@cache
def plugins(group: str) -> tuple[Plugin, ...]:
    """Return the modules of a group's entry points; if one fails, return its error as its fault.

    A plug-in that fails must not break commands that do not need it; `doctor` prints the fault.
    """
    return tuple(_plugin(group, each) for each in _entries()[0] if each.group == group)


def unknown_plugins() -> tuple[Plugin, ...]:
    """Return what looks like a plug-in and belongs to no group, each with its fault."""
    return _entries()[1]


@cache
def _entries() -> tuple[tuple[EntryPoint, ...], tuple[Plugin, ...]]:
    """Return the entry points of all groups, each once, and what belongs to no group."""
    if not _is_any_installed():
        return (), ()
    from importlib.metadata import distributions  # noqa: PLC0415 -- takes 20 ms

    found: dict[tuple[str, str, str], EntryPoint] = {}
    unknown = []
    for each in distributions():
        if _SECTION in (each.read_text("entry_points.txt") or ""):
            try:
                entries = tuple(each.entry_points)
            except (TypeError, ValueError):
                fault = "found a line without '=' in entry_points.txt"
                unknown.append(Plugin("plug-ins", "entry_points.txt", _name(each), None, fault))
                continue
            for entry in entries:
                if entry.group in GROUPS:
                    # The first distribution of a name on the path is the one that is imported.
                    found.setdefault((_name(each), entry.group, entry.name), entry)
                elif f"[{entry.group}".startswith(_SECTION):
                    fault = f"unknown group '{entry.group}'{hint(entry.group, GROUPS)}"
                    unknown.append(Plugin(entry.group, entry.name, _name(each), None, fault))
    return tuple(found.values()), tuple(dict.fromkeys(unknown))


def _name(distribution: Distribution | None) -> str:
    # Metadata without a name have None, although their type is text.
    name = None if distribution is None else distribution.name
    return name or "an unknown distribution"


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
    printed = StringIO()
    module, fault = None, ""
    try:
        # What it prints must not become part of a command's output.
        with redirect_stdout(printed), redirect_stderr(printed):
            module = entry.load()
        fault = _fault(GROUPS[group], entry.value, module)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        fault = ": ".join(filter(None, (type(error).__name__, str(error))))
    said = _one_line(printed.getvalue())
    return Plugin(group, entry.name, _name(entry.dist), module, _one_line(fault), said)


def _one_line(fault: str) -> str:
    return shortened(" ".join(fault.split()), _LONGEST)


def _fault(group: Group, place: str, module: Any) -> str:
    """Return why a module cannot be used; empty if it can."""
    if not hasattr(module, group.constant):
        return f"{place} has no {group.constant}"
    kinds = tuple(map(_type, group.kinds))
    for item in _items(getattr(module, group.constant)):
        parts = (item,) if len(kinds) == 1 else item
        is_tuple = isinstance(parts, tuple) and len(parts) == len(kinds)
        if not is_tuple or not all(map(isinstance, parts, kinds)):
            expected = ", ".join(kind.__name__ for kind in kinds)
            return f"{place}: {group.constant}: found {type(item).__name__}, expected {expected}"
    if not group.has_folder:
        return ""
    folder = getattr(module, "FOLDER", None)
    if not isinstance(folder, str | Path):
        return f"{place} has no FOLDER, the path of the domain's folder"
    return "" if (Path(folder) / _PDDL).is_file() else f"{place}: {folder} contains no {_PDDL}"


def _type(name: str) -> type:
    module, _, kind = name.partition(":")
    found: type = getattr(import_module(module), kind)
    return found
