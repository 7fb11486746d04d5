"""Finds what files plug in: no list to edit, no registration when a file is imported."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def discover(package: str, constant: str) -> Iterator[Any]:
    """Yield what each file of a package has in a constant, a tuple; files without it are passed."""
    folders = import_module(package).__path__
    for module in iter_modules(folders, f"{package}."):
        yield from getattr(import_module(module.name), constant, ())
