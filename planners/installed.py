"""Checks whether an optional planner is installed, without importing it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from pddl_pipeline.model.errors import EngineError


def check_installed(distribution: str) -> str:
    """Return the version of a distribution.

    Raises:
        EngineError: it is not installed; the message says how to install it.
    """
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise EngineError(f"not installed; fix: pip install {distribution}") from None


def package_folder(distribution: str, package: str) -> Path:
    """Return the folder of a package that a distribution installs.

    Raises:
        EngineError: it is not installed; the message says how to install it.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EngineError(f"not installed; fix: pip install {distribution}")
    return Path(next(iter(spec.submodule_search_locations)))
