"""The planning domains as data: one folder per domain, found by name.

A plug-in's module has the folder of its domain in the constant FOLDER, a path.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pddl_pipeline.model.discovery import OWN, usable_plugins
from pddl_pipeline.model.errors import InputError


@cache
def domain_names() -> tuple[str, ...]:
    """Return the names of the installed domains, sorted."""
    return tuple(sorted(_folders()))


@cache
def _folders() -> dict[str, Path]:
    """Return the folder of each domain, those of plug-ins included."""
    own = {file.parent.name: file.parent for file in Path(__file__).parent.glob("*/domain.pddl")}
    found, sources = dict(own), dict.fromkeys(own, OWN)
    for plugin in usable_plugins("pddl_pipeline.domains"):
        if plugin.name in found:
            raise InputError(
                f"two domains have the name '{plugin.name}': one from {sources[plugin.name]}, "
                f"one from {plugin.distribution}"
            )
        found[plugin.name], sources[plugin.name] = Path(plugin.module.FOLDER), plugin.distribution
    return found


def domain_folder(name: str) -> Path:
    """Return a domain's folder: domain.pddl, words, variants, examples, invalid plans."""
    return _folders().get(name, Path(__file__).parent / name)


@cache
def domain_text(name: str, variant: str = "") -> str:
    """Return the PDDL text of a domain, or of one of its variants."""
    file = f"variants/{variant}.pddl" if variant else "domain.pddl"
    return (domain_folder(name) / file).read_text(encoding="utf-8")


@cache
def files_named(name: str) -> Mapping[str, Path]:
    """Return the files of this name by their domain.

    A variant with its own words is included under its name: mystery has ``words-mystery.toml`` in
    the folder of its domain.
    """
    stem, suffix = Path(name).stem, Path(name).suffix
    found: dict[str, Path] = {}
    for domain, folder in _folders().items():
        for file in folder.glob(f"{stem}-*{suffix}"):
            found[file.stem.removeprefix(f"{stem}-")] = file
        if (folder / name).is_file():
            found[domain] = folder / name
    return dict(sorted(found.items()))
