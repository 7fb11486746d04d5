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
from itertools import chain
from operator import attrgetter
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.model.text import shortened

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

OWN: Final = "pddl-pipeline"
"""The distribution of this project's own plug-ins."""
_SECTION: Final = "[pddl_pipeline."
"""The start of the heading of a group in the file of entry points."""
_PDDL: Final = "domain.pddl"
_LONGEST: Final = 300
_GROUPS: Final = "pddl_pipeline.groups"
"""The group of the modules that define further groups, as `papers` does."""


class PluginGroup(NamedTuple):
    """A group of entry points: what the modules that it names contain."""

    constant: str
    """The constant of each module: a tuple of items, or one item."""
    kinds: tuple[str, ...]
    """The type of an item, as ``module:name``; if there are several, an item is a tuple of them."""
    items: str = ""
    """The function that returns all items of the group, as ``module:name``, if there is one. It
    raises `InputError` if two items have the same name."""
    has_folder: bool = False
    """Whether each module also has a constant `FOLDER`: the folder of a domain's files."""


_CORE: Final = {
    "pddl_pipeline.planners": PluginGroup(
        "PLANNERS",
        ("pddl_pipeline.planners.planner:Planner",),
        "pddl_pipeline.planners.registry:planners",
    ),
    "pddl_pipeline.domains": PluginGroup(
        "TRANSLATOR",
        ("pddl_pipeline.translators.translator:Translator",),
        "pddl_pipeline.pddl_domains:domain_names",
        has_folder=True,
    ),
    "pddl_pipeline.formats": PluginGroup(
        "FORMATS",
        ("pddl_pipeline.translators.formats.format:Format",),
        "pddl_pipeline.translators.formats.registry:formats",
    ),
    "pddl_pipeline.generators": PluginGroup(
        "GENERATORS",
        ("pddl_pipeline.generators.generator:Generator",),
        "pddl_pipeline.generators.generating:generators",
    ),
    "pddl_pipeline.questions": PluginGroup(
        "KINDS", ("pddl_pipeline.questions.kind:Kind",), "pddl_pipeline.questions.kind:kinds"
    ),
    "pddl_pipeline.baselines": PluginGroup(
        "BASELINES",
        ("pddl_pipeline.search.baseline:Baseline",),
        "pddl_pipeline.planners.own_process:baselines",
    ),
    "pddl_pipeline.pictures": PluginGroup(
        "PICTURES", ("pddl_pipeline.pages.pictures.picture:Picture",)
    ),
    "pddl_pipeline.statements": PluginGroup(
        "STATEMENTS",
        ("builtins:str", "builtins:str", "pddl_pipeline.prompts.statement:Statement"),
        "pddl_pipeline.prompts.texts:check_statements",
    ),
    "pddl_pipeline.commands": PluginGroup("COMMANDS", ("click:Command",)),
    "pddl_pipeline.validators": PluginGroup(
        "VALIDATORS", ("pddl_pipeline.validation.opinions:Validator",)
    ),
    "pddl_pipeline.libraries": PluginGroup(
        "LIBRARIES", ("pddl_pipeline.validation.given_objects:Library",)
    ),
    "pddl_pipeline.checks": PluginGroup("CHECKS", ("collections.abc:Callable",)),
    _GROUPS: PluginGroup("GROUPS", ("builtins:dict",)),
}
"""The groups of entry points of the core, by name."""


@cache
def groups() -> dict[str, PluginGroup]:
    """Return the groups of entry points by name, with those that plug-ins define."""
    found = dict(_CORE)
    for _, more in plugged_items(_GROUPS):
        found |= more
    return found


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
    """Yield the items of a constant, a tuple, of a module or of each file of a package.

    Files without the constant are skipped.
    """
    folders = getattr(import_module(package), "__path__", ())
    for name in (package, *(module.name for module in iter_modules(folders, f"{package}."))):
        yield from getattr(import_module(name), constant, ())


def registry(
    packages: str | Sequence[str], group: str, name: Callable[[Any], str] = attrgetter("name")
) -> dict[str, Any]:
    """Return the items of the files of packages and of a group's entry points by name.

    Raises:
        InputError: two items have the same name; the message names both distributions.
    """
    constant = _group(group).constant
    own = [packages] if isinstance(packages, str) else packages
    found: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for source, item in (
        *((OWN, item) for package in own for item in discover(package, constant)),
        *plugged_items(group),
    ):
        # Two plug-ins with one name would replace each other silently, in the order of the path.
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
        for item in _items(getattr(plugin.module, _group(group).constant)):
            yield plugin.distribution, item


def _items(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


def items_of(group: str) -> Any:
    """Return all items of a group that has a function for them, usually by name.

    Raises:
        InputError: two items have the same name.
    """
    return _named(_group(group).items)()


def conflicts() -> dict[str, str]:
    """Return the groups in which two items have the same name, with the error."""
    found = {}
    for name, group in groups().items():
        try:
            if group.items:
                items_of(name)
        except InputError as error:
            found[name] = str(error)
    return found


def provider(group: str, item: Any) -> str:
    """Return the distribution that provides an item of a group."""
    return next((source for source, each in plugged_items(group) if each is item), OWN)


def usable_plugins(group: str) -> list[Plugin]:
    """Return the modules of a group's entry points that can be used."""
    return [plugin for plugin in plugins(group) if not plugin.fault]


@cache
def plugins(group: str) -> tuple[Plugin, ...]:
    """Return the modules of a group's entry points; if one fails, return its error as its fault.

    A plug-in that fails must not break commands that do not need it; `doctor` prints the fault.
    """
    return tuple(_plugin(entry) for entry in _entries()[0] if entry.group == group)


def plugin_named(group: str, name: str) -> Plugin:
    """Return the module of a group's entry point, without importing the group's others.

    Raises:
        KeyError: no entry point of the group has the name.
    """
    return _plugin({entry.name: entry for entry in _entries()[0] if entry.group == group}[name])


def plugin_names(group: str) -> list[str]:
    """Return the names of a group's entry points, without importing their modules."""
    return [entry.name for entry in _entries()[0] if entry.group == group]


def unknown_plugins() -> list[Plugin]:
    """Return what looks like a plug-in and belongs to no group, each with its fault."""
    entries, unread = _entries()
    fault = "found a line without '=' in entry_points.txt"
    found = [Plugin("plug-ins", "entry_points.txt", name, None, fault) for name in unread]
    for entry in entries:
        if entry.group not in groups():
            fault = f"unknown group '{entry.group}'{hint(entry.group, groups())}"
            found.append(Plugin(entry.group, entry.name, _name(entry), None, fault))
    return found


@cache
def _entries() -> tuple[tuple[EntryPoint, ...], tuple[str, ...]]:
    """Return all entry points of plug-ins, each once, and distributions that cannot be read.

    Reading only the files that name a group takes a tenth of the time of `importlib.metadata`,
    which reads the metadata of every distribution.
    """
    from importlib.metadata import PathDistribution  # takes 20 ms

    found: dict[str, list[EntryPoint]] = {}
    unread: dict[str, None] = {}
    for place in sys.path:
        for file in sorted(Path(place).glob("*-info/entry_points.txt")):
            # Most distributions have other groups only.
            if _SECTION not in file.read_text(encoding="utf-8", errors="replace"):
                continue
            distribution = PathDistribution(file.parent)
            try:
                entries = tuple(distribution.entry_points)
            except (TypeError, ValueError):
                unread[distribution.name] = None
                continue
            # The first distribution of a name on the path is the one that is imported.
            found.setdefault(
                distribution.name or str(file),
                # With the bracket, as in the file: `[pddl_pipeline.planners]`.
                [entry for entry in entries if f"[{entry.group}".startswith(_SECTION)],
            )
    return tuple(chain(*found.values())), tuple(unread)


def _name(entry: EntryPoint) -> str:
    # Metadata without a name have None, although their type is text.
    name = entry.dist.name if entry.dist is not None else None
    return name or "an unknown distribution"


def _plugin(entry: EntryPoint) -> Plugin:
    printed = StringIO()
    module, fault = None, ""
    try:
        # What it prints must not become part of a command's output.
        with redirect_stdout(printed), redirect_stderr(printed):
            module = entry.load()
        fault = _fault(_group(entry.group), entry.value, module)
    except BaseException as error:
        # Even `sys.exit` in a plug-in is its fault, and must not end the command.
        if isinstance(error, (KeyboardInterrupt, MemoryError)):
            raise
        fault = ": ".join(filter(None, (type(error).__name__, str(error))))
    said = _one_line(printed.getvalue())
    return Plugin(entry.group, entry.name, _name(entry), module, _one_line(fault), said)


def _group(name: str) -> PluginGroup:
    # Groups that plug-ins define are found through a group of the core.
    return _CORE[name] if name in _CORE else groups()[name]


def _one_line(fault: str) -> str:
    return shortened(" ".join(fault.split()), _LONGEST)


def _fault(group: PluginGroup, place: str, module: Any) -> str:
    """Return why a module cannot be used; empty if it can."""
    if not hasattr(module, group.constant):
        return f"{place} has no {group.constant}"
    kinds = tuple(map(_named, group.kinds))
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


def _named(name: str) -> Any:
    """Return what ``module:name`` names."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
