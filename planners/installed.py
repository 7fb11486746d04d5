"""Checks whether an optional planner is installed, without importing it."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pddl_pipeline.model.discovery import OWN
from pddl_pipeline.model.errors import EngineError

_PYTHON_LIMIT: Final = re.compile(r"python_version\s*<\s*['\"](\d+)\.(\d+)['\"]")


def check_installed(distribution: str) -> str:
    """Return the version of a distribution.

    Raises:
        EngineError: it is not installed; the message says how to install it.
    """
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise _not_installed(distribution) from None


def package_folder(distribution: str, package: str) -> Path:
    """Return the folder of a package that a distribution installs.

    Raises:
        EngineError: it is not installed; the message says how to install it.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise _not_installed(distribution)
    return Path(next(iter(spec.submodule_search_locations)))


def _not_installed(distribution: str) -> EngineError:
    """Return the error with the way to install it, or with the Python that it requires."""
    limit = _python_limit(distribution)
    if limit is not None and sys.version_info[:2] >= limit:
        needed, used = (f"{major}.{minor}" for major, minor in (limit, sys.version_info[:2]))
        said = f"it requires Python < {needed}, and this is Python {used}"
        return EngineError(f"{distribution} is not installed: {said}")
    return EngineError(f"{distribution} is not installed; fix: pip install {distribution}")


def is_optional(distribution: str) -> bool:
    """Return whether this project works without a distribution: only an extra requires it."""
    try:
        declared = requires(OWN) or ()
    except PackageNotFoundError:  # the project runs from its folder
        return False
    return not any(_name(each) == distribution and "extra ==" not in each for each in declared)


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0]


def _python_limit(distribution: str) -> tuple[int, int] | None:
    """Return the Python from which on a planner has no package, as this project declares it."""
    try:
        declared = requires(OWN) or ()
    except PackageNotFoundError:  # the project runs from its folder
        return None
    for each in declared:
        limit = _PYTHON_LIMIT.search(each.partition(";")[2])
        if limit and _name(each) == distribution:
            return int(limit[1]), int(limit[2])
    return None
