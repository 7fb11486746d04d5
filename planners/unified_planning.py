"""Helpers for Unified Planning, which is imported only when used: importing takes a second."""

from __future__ import annotations

import importlib
import sys
from contextlib import suppress
from types import ModuleType
from typing import Any, Final

# These import ConfigSpace, and with it scipy's statistics, for ``Engine.get_configuration_space``.
_WITH_SPACES: Final = ("unified_planning.shortcuts", "up_pyperplan.engine", "up_tamer.engine")
_SPACES: Final = "ConfigSpace"


def get_environment() -> Any:
    """Import Unified Planning with its engines, and return its global environment.

    ConfigSpace takes twice as long to import as all the rest. It is imported when an engine's
    configuration space is asked for, or when an engine needs more of it.
    """
    if not {_SPACES, *_WITH_SPACES} & sys.modules.keys():
        sys.modules[_SPACES] = _placeholder()
        try:
            for name in _WITH_SPACES:
                with suppress(ImportError):  # Unified Planning skips engines that are not installed
                    importlib.import_module(name)
        finally:
            del sys.modules[_SPACES]
    return importlib.import_module("unified_planning.shortcuts").get_environment()


def _placeholder() -> ModuleType:
    """Return a module with one function, which imports ConfigSpace when it is called."""

    def configuration_space(*values: Any, **named: Any) -> Any:
        return importlib.import_module(_SPACES).ConfigurationSpace(*values, **named)

    module = ModuleType(_SPACES)
    vars(module)["ConfigurationSpace"] = configuration_space
    return module


def environment() -> Any:
    """Return the process's only environment; version 1.3.0 mixes up two environments."""
    found = get_environment()
    found.credits_stream = None
    # Public files use one name for an action and a predicate; PDDL allows it.
    found.error_used_name = False
    return found


def one_line(error: Exception) -> str:
    """Return an exception of Unified Planning or its dependencies as one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:300]
