"""What only some platforms have: modules of Unix, and Linux itself.

Planners and models' code run on Linux only. Everything else runs elsewhere too, so every module
can be imported there: modules of Python that Windows lacks are imported here and nowhere else.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Final, NoReturn

from pddl_pipeline.model.errors import EngineError


class _Absent:
    """A module that this Python lacks."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> NoReturn:
        raise EngineError(f"this Python has no {self._name}.{attribute}; expected Linux")


try:
    import fcntl
    import resource
except ImportError:
    fcntl: Any = _Absent("fcntl")  # type: ignore[no-redef]
    resource: Any = _Absent("resource")  # type: ignore[no-redef]

_settings: Any = getattr(os, "sysconf", lambda _name: 1)
TICKS: Final[int] = _settings("SC_CLK_TCK")
"""Clock ticks per second in ``/proc``; 1 where there is no ``/proc``."""
PAGE_BYTES: Final[int] = _settings("SC_PAGE_SIZE")
"""Bytes per page of memory in ``/proc``; 1 where there is no ``/proc``."""

__all__ = ["PAGE_BYTES", "TICKS", "check_linux", "fcntl", "resource"]


def check_linux(what: str) -> None:
    """Check that this is Linux.

    Args:
        what: what needs Linux, with its verb: ``planners run``.

    Raises:
        EngineError: it is another platform.
    """
    if sys.platform != "linux":
        raise EngineError(f"{what} on Linux only; this is {sys.platform}")
