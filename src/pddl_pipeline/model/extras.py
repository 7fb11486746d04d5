"""The extras of this distribution: optional packages that pip installs."""

from __future__ import annotations

from importlib.util import find_spec

from pddl_pipeline.model.errors import EngineError


def install_command(extra: str) -> str:
    """Return the command that installs an extra, quoted for every shell."""
    return f'pip install "pddl-pipeline[{extra}]"'


def check_package(what: str, package: str, extra: str = "") -> None:
    """Check that an optional package is installed, without the time that importing it takes.

    Args:
        what: what requires the package.
        package: its name.
        extra: the extra that installs it; empty if none does.

    Raises:
        EngineError: it is not installed.
    """
    if find_spec(package) is None:
        fix = install_command(extra) if extra else f"pip install {package}"
        raise EngineError(f"{what} requires {package}; fix: {fix}")
