"""Discover plug-ins in the files of a package, without a list or registration on import."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def discover(package: str, constant: str) -> Iterator[Any]:
    """Yield the items of a constant, a tuple, of each file of a package; skip files without it."""
    folders = import_module(package).__path__
    for module in iter_modules(folders, f"{package}."):
        yield from getattr(import_module(module.name), constant, ())
