"""Tries on this machine whether code can leave the sandbox."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from pddl_pipeline.planners.functions.process import CallFault, CodeSource, Functions

# By ctypes, since an audit hook refuses the ordinary ways, also where the kernel would not.
_CODE: Final = """
import ctypes, os
libc = ctypes.CDLL(None)
def succ(place):
    found = []
    if libc.open((place + "/secret").encode(), os.O_RDONLY) >= 0:
        found.append("read a file")
    if libc.open((place + "/new").encode(), os.O_WRONLY | os.O_CREAT, 0o600) >= 0:
        found.append("write a file")
    if libc.socket(2, 1, 0) >= 0:
        found.append("open a socket")
    process = libc.fork()
    if process == 0:
        os._exit(0)
    if process > 0:
        found.append("start a process")
    return found
"""
_CALL_S: Final = 10.0


def escapes() -> list[str]:
    """Return what code in the sandbox could do on this machine, but should not; empty if nothing.

    Raises:
        EngineError: the sandbox does not start.
    """
    with tempfile.TemporaryDirectory(prefix="pddl-pipeline-outside-") as place:
        (Path(place) / "secret").touch()
        with Functions((CodeSource(_CODE, {"succ": "succ"}),), _CALL_S) as functions:
            try:
                found: list[str] = functions.call("succ", os.fspath(place)).result
            except CallFault as fault:
                return [f"not be asked: {fault}"]
    return found
